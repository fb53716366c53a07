import type { ErrorCode } from '../errors.ts'
import type { Counters } from './counters.ts'
import type { Stage, Verdict } from './verdict.ts'

/** Counts in memory since it was made, private windows included: nothing of it is ever stored. */
export class CheckCounters {
  #checked = 0
  #threats = 0
  #unverified = 0
  #unchecked = 0
  #asked = 0
  #decoys = 0
  #askedBytes = 0
  #framesChecked = 0
  #framesBlocked = 0
  readonly #byStage: Record<Stage, number> = { filter: 0, list: 0, 'full-hash': 0, cache: 0, search: 0, allowance: 0, none: 0 }
  readonly #errors: Partial<Record<ErrorCode, number>> = {}

  /** One main-frame navigation has its verdict. */
  countVerdict(verdict: Verdict): void {
    this.#checked++
    this.#byStage[verdict.stage]++
    if (verdict.kind === 'threat') this.#threats++
    else if (verdict.kind === 'unverified') this.#unverified++
    else if (verdict.kind === 'unchecked') this.#unchecked++
  }

  /** A frame of a page has its verdict. */
  countFrame(verdict: Verdict): void {
    this.#framesChecked++
    if (verdict.kind === 'threat' || verdict.kind === 'unverified') this.#framesBlocked++
  }

  /** One hashes:search request goes out; `targetBytes` are those of its request target (path and query). */
  countRequest(targetBytes: number, { decoy }: { readonly decoy: boolean }): void {
    if (decoy) this.#decoys++
    else this.#asked++
    this.#askedBytes += targetBytes
  }

  countError(code: ErrorCode): void {
    this.#errors[code] = (this.#errors[code] ?? 0) + 1
  }

  /** The counts of this moment, as the popup shows them. */
  snapshot(): Counters {
    return {
      checked: this.#checked,
      byStage: { ...this.#byStage },
      threats: this.#threats,
      unverified: this.#unverified,
      unchecked: this.#unchecked,
      asked: this.#asked,
      decoys: this.#decoys,
      askedBytes: this.#askedBytes,
      frames: { checked: this.#framesChecked, blocked: this.#framesBlocked },
      errors: { ...this.#errors },
    }
  }
}

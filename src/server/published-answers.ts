import { createHash } from 'node:crypto'
import { toBase64, toHex } from '../bytes.ts'
import type { Clock } from '../ports.ts'
import { PROTOBUF_TYPE } from '../protocol/download.ts'
import { encodeBatch } from '../protocol/hash-list-message.ts'
import { listsJson } from '../protocol/json.ts'
import { JSON_TYPE, jsonBytes } from './answers.ts'
import { ApiError } from './api-error.ts'
import { cacheableAnswer } from './cacheable-answer.ts'
import type { Edition } from './edition.ts'
import type { ServerLimits } from './limits.ts'
import { batchAnswers, batchBytes, findList, listAnswer } from './list-answers.ts'
import type { RequestForm } from './request-form.ts'
import type { ServedUpdate } from './served-update.ts'

const VERSION = /^\d{1,16}\.\d{1,16}$/

/** What is published, as answers that any cache on the way may keep. */
export class PublishedAnswers {
  readonly #clock: Clock
  readonly #limits: ServerLimits

  constructor({ clock, limits }: { readonly clock: Clock; readonly limits: ServerLimits }) {
    this.#clock = clock
    this.#limits = limits
  }

  /** hashList.get @throws {ApiError} */
  list(edition: Edition, form: RequestForm, name: string): Response {
    const answer = listAnswer(findList(edition, name), form.query.get('version') ?? '')
    return this.#answer(edition, form, {
      tag: answer.tag,
      waits: [answer.minimumWaitMs],
      bytes: () => answer.bytes,
      json: () => answer.json(form.wary),
    })
  }

  /** hashLists.batchGet @throws {ApiError} */
  batch(edition: Edition, form: RequestForm): Response {
    const answers = batchAnswers(edition, form.query, this.#limits.names)
    return this.#answer(edition, form, {
      tag: joinedTag(answers),
      waits: answers.map(({ minimumWaitMs }) => minimumWaitMs),
      bytes: () => batchBytes(answers),
      json: () => ({ hashLists: answers.map((answer) => answer.json(form.wary)) }),
    })
  }

  /** hashLists.list */
  names(edition: Edition, form: RequestForm): Response {
    const served = [...edition.lists.values()]
    const updates = () => served.map(({ update }) => ({ ...update, additions: undefined }))
    return this.#answer(edition, form, {
      tag: `${joinedTag(served.map(({ whole }) => whole))}-names`,
      waits: served.map(({ update }) => update.minimumWaitMs),
      bytes: () => encodeBatch(updates()),
      json: () => listsJson(updates()),
    })
  }

  /** LIST.filter, or the bits that differ from that of the version `from`. @throws {ApiError} */
  filter(edition: Edition, { request, query }: RequestForm, name: string): Response {
    const { filter, filterState, filterTag, update, deltas } = findList(edition, name)
    const { epoch, sequence } = edition.manifest
    const from = query.get('from')
    if (from !== null && !VERSION.test(from)) throw new ApiError('INVALID_ARGUMENT', 'from is no version: EPOCH.SEQUENCE')
    const delta = from === null ? undefined : deltas.filters.get(from)
    return cacheableAnswer(request, {
      body: () => delta ?? filter,
      type: 'application/octet-stream',
      etag: delta ? `"${filterTag}-from-${from}"` : `"${filterTag}"`,
      cacheControl: this.#cacheControl(edition, [update.minimumWaitMs]),
      headers: {
        ...(delta && { 'wary-filter-delta': '1' }),
        'wary-version': `${epoch}.${sequence}`,
        'wary-statement': toBase64(filterState.statement),
        'wary-signature': filterState.signatures.map(({ keyId, signature }) => `${toHex(keyId)}:${toBase64(signature)}`).join(', '),
      },
    })
  }

  #answer(edition: Edition, { request, json, wary, vary }: RequestForm, forms: Forms): Response {
    const cacheControl = this.#cacheControl(edition, forms.waits)
    const about = { cacheControl, ...(vary === undefined ? {} : { vary }) }
    return json
      ? cacheableAnswer(request, {
          ...about,
          body: () => jsonBytes(forms.json()),
          type: JSON_TYPE,
          etag: `"${forms.tag}-json${wary ? '-wary' : ''}"`,
        })
      : cacheableAnswer(request, { ...about, body: forms.bytes, type: PROTOBUF_TYPE, etag: `"${forms.tag}"` })
  }

  /** As long as clients are asked to wait, but never beyond the moment from which they refuse it. */
  #cacheControl({ manifest }: Edition, waits: readonly number[]): string {
    const ms = Math.min(...waits, Math.max(0, manifest.expiresAt - this.#clock.now()))
    return `public, max-age=${Math.floor((Number.isFinite(ms) ? ms : 0) / 1000)}`
  }
}

interface Forms {
  readonly tag: string
  readonly waits: readonly number[]
  readonly bytes: () => Uint8Array
  readonly json: () => unknown
}

function joinedTag(answers: readonly ServedUpdate[]): string {
  return createHash('sha256')
    .update(answers.map(({ tag }) => tag).join(' '))
    .digest('hex')
    .slice(0, 32)
}

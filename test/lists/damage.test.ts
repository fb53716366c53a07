import { describe, expect, it } from 'vitest'
import { concatBytes, equalBytes, toHex } from '../../src/bytes.ts'
import { WaryError } from '../../src/errors.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { type EntryLength, HashList } from '../../src/lists/hash-list.ts'
import { singleKey } from '../../src/lists/key-set.ts'
import { applyUpdate, type ListUpdate } from '../../src/lists/list-update.ts'
import type { StoredList, VerifyEd25519 } from '../../src/ports.ts'
import { decodeHashList, encodeHashList } from '../../src/protocol/hash-list-message.ts'
import { verifyList } from '../../src/update/list-verification.ts'
import { FakeClock } from '../support/fakes.ts'
import { fullUpdate, planned, storedList, TestPublisher, verifyEd25519 } from '../support/signed-list.ts'

/*
 * Damage on the way: every single bit of an encoded list the other way round, and every length that it can be cut to. Whatever is not refused by
 * name must come to exactly the same entries.
 */

const LENGTHS: readonly EntryLength[] = [4, 8, 16, 32]

/** A full and a partial update to the same list, with what the partial one applies to. */
function updates(entryLength: EntryLength): { full: ListUpdate; partial: ListUpdate; old: HashList; list: HashList } {
  const name = `se-${entryLength}b`
  const made = (expressions: readonly string[], version: number): HashList =>
    HashList.fromUnsorted({
      name,
      version: new Uint8Array([version]),
      entryLength,
      entries: concatBytes(expressions.map((expression) => fullHash(expression).subarray(0, entryLength))),
    })
  const old = made(['a', 'b', 'c', 'd'], 1)
  const list = made(['a', 'c', 'e', 'f'], 2)
  const removals = Uint32Array.from(entriesOf(old).flatMap((entry, i) => (list.has(entry) ? [] : [i])))
  const additions = { entryLength, entries: concatBytes(entriesOf(list).filter((entry) => !old.has(entry))) }
  const rest = { name, version: list.version, checksum: list.checksum(), minimumWaitMs: 300_000, signed: undefined }
  return {
    full: { ...rest, partial: false, additions: { entryLength, entries: list.entries }, removals: undefined },
    partial: { ...rest, partial: true, additions, removals },
    old,
    list,
  }
}

function entriesOf({ entries, entryLength, count }: HashList): Uint8Array[] {
  return Array.from({ length: count }, (_, i) => entries.subarray(i * entryLength, (i + 1) * entryLength))
}

/** Every copy of `bytes` with one bit changed. */
function* flips(bytes: Uint8Array): Generator<{ readonly at: number; readonly damaged: Uint8Array }> {
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const damaged = bytes.slice()
    damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7))
    yield { at: bit >> 3, damaged }
  }
}

/** What `make` makes; undefined where it refuses by name. Another error fails the test. */
function unlessRefused<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof WaryError && (error.code === 'list-format' || error.code === 'list-checksum')) return undefined
    throw error
  }
}

/** The top-level fields that each byte of a message belongs to, tag and length included. */
function fieldsOf(bytes: Uint8Array): string[] {
  const names = ['', 'name', 'version', 'partial_update', 'additions', 'removals', 'minimum_wait', 'checksum', 'metadata', 'additions']
  const owners: string[] = []
  const number = (at: number): [value: number, next: number] => {
    let value = 0
    for (let shift = 0; ; shift += 7, at++) {
      value += ((bytes[at] as number) & 127) * 2 ** shift
      if ((bytes[at] as number) < 128) return [value, at + 1]
    }
  }
  for (let at = 0; at < bytes.length; ) {
    const [tag, afterTag] = number(at)
    const [value, afterValue] = number(afterTag)
    const end = (tag & 7) === 2 ? afterValue + value : afterValue
    const name = names[tag >> 3] ?? (tag >> 3 <= 11 ? 'additions' : 'signed_state')
    while (owners.length < end) owners.push(name)
    at = end
  }
  return owners
}

/** v5: a partial update that changes nothing needs no checksum. What damage makes one of, only the signed state tells, below. */
function saysNothingNew({ partial, additions, removals, checksum }: ListUpdate): boolean {
  return partial && additions === undefined && removals === undefined && checksum.length === 0
}

describe.each(LENGTHS)('a list with entries of %d bytes', (entryLength) => {
  const { full, partial, old, list } = updates(entryLength)
  const both = [
    ['full', full, undefined],
    ['partial', partial, old],
  ] as const

  /**
   * What stays without harm: fields that are not about the entries; in the others the bits
   * of `true`, of a first value above its 32, of a length that comes to the same bytes, and behind the last coded difference.
   */
  it.each(both)('%s update: no bit changes the entries', (_, update, base) => {
    const bytes = encodeHashList(update)
    const owners = fieldsOf(bytes)
    expect(applyUpdate(base, decodeHashList(bytes)).entries).toEqual(list.entries)
    const harmless = new Set<string>()
    for (const { at, damaged } of flips(bytes)) {
      const decoded = unlessRefused(() => decodeHashList(damaged))
      if (decoded === undefined || saysNothingNew(decoded)) continue
      const made = unlessRefused(() => applyUpdate(base, decoded))
      if (made === undefined) continue
      if (!equalBytes(made.entries, list.entries)) expect(made.entries, `bit of byte ${at}`).toEqual(list.entries)
      harmless.add(owners[at] as string)
    }
    const expected = ['additions', 'metadata', 'minimum_wait', 'name', 'version']
    expect([...harmless].sort()).toEqual((update.partial ? [...expected, 'partial_update', 'removals'] : expected).sort())
  })

  it.each(both)('%s update: no end that is missing changes the entries', (_, update, base) => {
    const bytes = encodeHashList(update)
    for (let length = 0; length < bytes.length; length++) {
      const decoded = unlessRefused(() => decodeHashList(bytes.subarray(0, length)))
      if (decoded === undefined || saysNothingNew(decoded)) continue
      const made = unlessRefused(() => applyUpdate(base, decoded))
      if (made !== undefined) expect(equalBytes(made.entries, list.entries)).toBe(true)
    }
  })
})

describe.each(LENGTHS)('a signed list with entries of %d bytes', (entryLength) => {
  const publisher = new TestPublisher()
  const plan = { name: `se-${entryLength}b`, expressions: ['evil.test/', 'bad.test/'], sequence: 2 }
  const { list } = planned(plan)
  const held = storedList({ ...plan, expressions: ['evil.test/', 'old.test/'], sequence: 1 })
  const full = fullUpdate(publisher, plan)
  const removals = Uint32Array.from(entriesOf(held.list).flatMap((entry, i) => (list.has(entry) ? [] : [i])))
  const additions = { entryLength, entries: concatBytes(entriesOf(list).filter((entry) => !held.list.has(entry))) }
  const partial: ListUpdate = { ...full, partial: true, additions, removals }

  /** Most damage leaves statement and signature as they are: the same question gets the same answer. */
  const answers = new Map<string, Promise<boolean>>()
  const verify: VerifyEd25519 = (...question) => {
    const key = question.map(toHex).join()
    const answer = answers.get(key) ?? verifyEd25519(...question)
    answers.set(key, answer)
    return answer
  }

  /** The list that the client would put in force; undefined where it keeps the one it holds. */
  async function taken(bytes: Uint8Array, inForce: StoredList | undefined): Promise<StoredList | undefined> {
    try {
      const { stored } = await verifyList(decodeHashList(bytes), inForce, {
        source: 'server',
        rate: 1e-3,
        keys: singleKey(publisher.publicKey),
        verify,
        clock: new FakeClock(),
        pause: async () => undefined,
        signal: new AbortController().signal,
        onBuild: () => undefined,
      })
      return stored
    } catch (error) {
      if (error instanceof WaryError && /^(list|state)-/.test(error.code)) return undefined
      throw error
    }
  }

  it.each([
    ['full', full],
    ['partial', partial],
  ] as const)('%s update: no bit and no end that is missing gets other entries into force', async (_, update) => {
    const bytes = encodeHashList(update)
    expect((await taken(bytes, held))?.list).toMatchObject({ entries: list.entries })
    const owners = fieldsOf(bytes)
    const harmless = new Set<string>()
    const checked = async (damaged: Uint8Array, what: string): Promise<boolean> => {
      const stored = await taken(damaged, held)
      if (stored === undefined) return false
      const same = stored.list instanceof HashList && equalBytes(stored.list.entries, list.entries)
      if (stored.list.name !== list.name || !same) expect(stored.list, what).toEqual(list)
      return true
    }
    for (const { at, damaged } of flips(bytes)) if (await checked(damaged, `bit of byte ${at}`)) harmless.add(owners[at] as string)
    for (let length = 0; length < bytes.length; length++) await checked(bytes.subarray(0, length), `cut to ${length}`)
    expect(harmless).toContain('version')
    expect(harmless).toContain('minimum_wait')
  })
})

/** A random whole number in [0, below). */
export type Draw = (below: number) => number

/** The same numbers for the same seed (mulberry32). */
export function drawing(seed: number): Draw {
  let state = seed | 0
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

export interface MutateOptions {
  readonly draw: Draw
  readonly longest: number
  readonly dictionary: readonly Uint8Array[]
  /** Another input of the corpus, for pieces of it. */
  readonly other: () => Uint8Array
}

const INTERESTING = [0, 1, 2, 3, 7, 8, 10, 13, 16, 26, 30, 31, 32, 37, 46, 47, 63, 64, 100, 127, 128, 129, 224, 253, 254, 255]

type Mutation = (input: Uint8Array, options: MutateOptions) => Uint8Array

function spliced(input: Uint8Array, at: number, removed: number, put: Uint8Array): Uint8Array {
  const out = new Uint8Array(input.length - removed + put.length)
  out.set(input.subarray(0, at))
  out.set(put, at)
  out.set(input.subarray(at + removed), at + put.length)
  return out
}

function changed(input: Uint8Array, draw: Draw, change: (byte: number) => number): Uint8Array {
  if (input.length === 0) return new Uint8Array([draw(256)])
  const out = input.slice()
  const at = draw(out.length)
  out[at] = change(out[at] as number)
  return out
}

/** A piece of `from`, as often short as long. */
function piece(from: Uint8Array, draw: Draw): Uint8Array {
  const length = 1 + draw(Math.min(from.length, 1 << draw(9)))
  const start = draw(Math.max(1, from.length - length + 1))
  return from.slice(start, start + length)
}

const MUTATIONS: readonly Mutation[] = [
  (input, { draw }) => changed(input, draw, (byte) => byte ^ (1 << draw(8))),
  (input, { draw }) => changed(input, draw, () => draw(256)),
  (input, { draw }) => changed(input, draw, () => INTERESTING[draw(INTERESTING.length)] as number),
  (input, { draw }) => changed(input, draw, (byte) => byte + draw(33) - 16),
  (input, { draw }) => spliced(input, draw(input.length + 1), 0, new Uint8Array([draw(2) ? 32 + draw(95) : draw(256)])),
  (input, { draw }) => {
    const at = draw(input.length + 1)
    return spliced(input, at, draw(Math.min(input.length - at, 16) + 1), new Uint8Array(0))
  },
  (input, { draw }) => spliced(input, draw(input.length + 1), 0, piece(input, draw)),
  (input, { draw }) => {
    // The same piece many times: what is quadratic shows.
    const once = piece(input, draw)
    const times = 2 + draw(1 << draw(6))
    const many = new Uint8Array(once.length * times)
    for (let i = 0; i < times; i++) many.set(once, i * once.length)
    return spliced(input, draw(input.length + 1), 0, many)
  },
  (input, { draw, other }) => spliced(input, draw(input.length + 1), 0, piece(other(), draw)),
  (input, { draw, other }) => {
    const put = piece(other(), draw)
    const at = draw(input.length + 1)
    return spliced(input, at, Math.min(put.length, input.length - at), put)
  },
  (input, { draw, dictionary }) => {
    const word = dictionary[draw(dictionary.length)]
    if (word === undefined) return input
    const at = draw(input.length + 1)
    return spliced(input, at, draw(2) ? Math.min(word.length, input.length - at) : 0, word)
  },
  (input, { draw }) => {
    const out = input.slice()
    const width = [2, 4, 8][draw(3)] as number
    if (out.length < width) return out
    const at = draw(out.length - width + 1)
    const value = draw(2) ? (INTERESTING[draw(INTERESTING.length)] as number) : 2 ** draw(32) - draw(2)
    const view = new DataView(out.buffer)
    if (width === 2) view.setUint16(at, value, draw(2) === 0)
    else view.setUint32(at, value, draw(2) === 0)
    return out
  },
]

/** A copy of `input` with one to eight changes, never longer than `longest`. */
export function mutate(input: Uint8Array, options: MutateOptions): Uint8Array {
  let out = input
  for (let changes = 1 << options.draw(4); changes > 0; changes--) {
    out = (MUTATIONS[options.draw(MUTATIONS.length)] as Mutation)(out, options)
  }
  return out.length > options.longest ? out.slice(0, options.longest) : out === input ? input.slice() : out
}

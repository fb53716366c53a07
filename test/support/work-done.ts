import type { HeapProfiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { setFlagsFromString } from 'node:v8'

// From the beginning and without an end: V8 counts in functions that it compiles after it was told to, which it does when they are first called.
// V8 no longer counts in a function that it has built into another one, as it does when it optimizes.
setFlagsFromString('--no-opt')
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/**
 * How much of src/ (or of what else has `within` in its path) runs in `work`: the sum of how often each block of it (function, branch, loop body) is run, as V8 counts them. The same for the same
 * work on every machine; what happens inside of the engine (regular expressions, sorting) is not in it.
 */
export async function blocksRun(work: () => unknown, within = '/src/'): Promise<number> {
  // Taking the counts sets them to 0.
  await session.post('Profiler.takePreciseCoverage')
  work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  let blocks = 0
  for (const { url, functions } of result) {
    if (!url.includes(within)) continue
    for (const { ranges } of functions) for (const { count } of ranges) blocks += count
  }
  return blocks
}

/**
 * Bytes that `work` takes from the JavaScript heap, those given back meanwhile included: V8 samples one in about 4 KiB, so that it is an estimate, good to a
 * few per cent of a megabyte. Strings that the engine makes are in it: text that is copied again and again shows here.
 */
export async function bytesTaken(work: () => unknown): Promise<number> {
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: 4096,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  })
  work()
  const { profile } = await session.post('HeapProfiler.stopSampling')
  const sum = ({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number =>
    children.reduce((bytes, child) => bytes + sum(child), selfSize)
  return sum(profile.head)
}

export interface Growth {
  /** Of blocks run: exact. */
  readonly blocks: number
  /** Of bytes taken: an estimate; 0 where they are too few to say. */
  readonly bytes: number
}

/** How many times as much is done for twice the size: about 2 where it is linear, 4 where it is quadratic. */
export async function growth(size: number, work: (size: number) => () => unknown, within?: string): Promise<Growth> {
  const [once, twice] = [work(size), work(2 * size)]
  const blocks = [await blocksRun(once, within), await blocksRun(twice, within)] as const
  const bytes = [await bytesTaken(once), await bytesTaken(twice)] as const
  // Work that hardly counts would grow by nothing, whatever it does.
  if (blocks[0] < size / 100 && bytes[0] < size) throw new Error(`only ${blocks[0]} blocks and ${bytes[0]} bytes for the size ${size}`)
  return { blocks: blocks[1] / blocks[0], bytes: bytes[0] < 1_000_000 ? 0 : bytes[1] / bytes[0] }
}

const ARRAYS = ['ArrayBuffer', 'Uint8Array', 'Uint16Array', 'Uint32Array', 'Int32Array', 'BigUint64Array', 'Float64Array'] as const

/** Bytes of all arrays that `work` asks for by their length, also of one that the engine then refuses. */
export function bytesAskedFor(work: () => unknown): number {
  let bytes = 0
  const real = ARRAYS.map((name) => [name, globalThis[name]] as const)
  for (const [name, array] of real) {
    const size = 'BYTES_PER_ELEMENT' in array ? array.BYTES_PER_ELEMENT : 1
    const counting = new Proxy(array, {
      construct(target, args): object {
        if (typeof args[0] === 'number') bytes += args[0] * size
        return Reflect.construct(target, args)
      },
    })
    Object.assign(globalThis, { [name]: counting })
  }
  try {
    work()
  } finally {
    for (const [name, array] of real) Object.assign(globalThis, { [name]: array })
  }
  return bytes
}

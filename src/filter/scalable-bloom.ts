import { setBits } from './bit-array.ts'
import { floatOf, floatParameter, headBytes, newFile, openFile, refuseFile, seal, verifyFile, wholeNumber } from './encoding.ts'
import { hashKey, seedWords } from './key-hash.ts'
import type { Insertable, Key, MembershipFilter } from './membership-filter.ts'
import { checkCapacity, checkedSeed, checkRate, refuseParameter } from './parameters.ts'
import { LAYER_HEAD_BYTES, ScalableLayer } from './scalable-layer.ts'
import { seededHigh } from './seeded-hash.ts'

/** The names of Almeida et al. 2007 for these: s is the growth, r the tightening, and P0 follows from the rate. */
export interface ScalableBloomOptions {
  /** Keys that the first layer takes, 1 or more: a guess at how many there will be. */
  readonly capacity: number
  /** The false positive rate of all layers together, however many there come to be; between 0 and 1. */
  readonly rate: number
  /** How many times as many keys each layer takes as the one before, 1 or more; 2 if absent. Redis calls it EXPANSION. */
  readonly growth?: number
  /** How many times the rate of the layer before each layer has, between 0 and 1; 0.5 if absent. */
  readonly tightening?: number
  /** False: there is one layer, which has all of the rate, and what does not fit it is refused. Redis calls it NONSCALING. */
  readonly scaling?: boolean
  /** Any 32 bits. */
  readonly seed?: number
}

interface Parts {
  readonly rate: number
  readonly growth: number
  readonly tightening: number
  readonly scaling: boolean
  readonly seed: number
  readonly count: number
  readonly layers: ScalableLayer[]
  readonly file?: Uint8Array
}

const PARAMETERS = 5
/** With each at least as large as the one before, and stricter: nobody gets there. */
const MOST_LAYERS = 64

/**
 * Scalable Bloom filter (Almeida, Baquero, Preguica, Hutchison 2007), for sets whose size nobody knows beforehand: once a layer has the
 * keys that it was made for, a larger one with a lower rate is put on top. With P0 the rate of the first layer and r the tightening, all
 * layers together err at most with P0 + P0 r + P0 r^2 + ... = P0 / (1 - r), which is the `rate` asked for: P0 is (1 - r) `rate`.
 *
 * A key for which the answer is "maybe" already takes no room when it is added: repeats make no layer grow.
 *
 * Body of the file: m, k, capacity and keys of each layer (scalable-layer.ts), then the bits of each, as in the standard filter.
 * Parameters: layers (1 to 64), rate, growth, tightening (three float64), 1 or 0 for scaling or not.
 */
export class ScalableBloomFilter implements MembershipFilter, Insertable {
  readonly kind = 'scalable-bloom'
  /** Of all layers together, at most. */
  readonly rate: number
  readonly growth: number
  readonly tightening: number
  readonly scaling: boolean
  readonly seed: number
  readonly #layers: ScalableLayer[]
  readonly #file: Uint8Array | undefined
  readonly #seedHigh: number
  readonly #seedLow: number
  readonly #words = new Int32Array(4)
  #count: number

  private constructor(parts: Parts) {
    this.rate = parts.rate
    this.growth = parts.growth
    this.tightening = parts.tightening
    this.scaling = parts.scaling
    this.seed = parts.seed
    this.#count = parts.count
    this.#layers = parts.layers
    this.#file = parts.file
    const { high, low } = seedWords(parts.seed)
    this.#seedHigh = high
    this.#seedLow = low
  }

  /**
   * An empty filter of one layer.
   * @throws {WaryError} `filter-parameter`
   */
  static create(options: ScalableBloomOptions): ScalableBloomFilter {
    const { capacity, rate, growth = 2, tightening = 0.5, scaling = true, seed = 0 } = options
    checkCapacity(capacity)
    if (capacity < 1) refuseParameter('the first layer must take a key at least')
    checkRate(rate)
    const wrong = wrongShape(growth, tightening)
    if (wrong) refuseParameter(wrong)
    const first = ScalableLayer.create(capacity, scaling ? rate * (1 - tightening) : rate)
    if (!first) refuseParameter(`a layer for ${capacity} keys at such a rate is too large: split the keys over several filters`)
    return new ScalableBloomFilter({ rate, growth, tightening, scaling, seed: checkedSeed(seed), count: 0, layers: [first] })
  }

  /**
   * The filter of a file, at once: the bits stay where they are (later changes of one change the other, but for layers that come on top),
   * and only the heads are looked at. What comes from elsewhere is for `verify` to read.
   * @throws {WaryError} `filter-format`
   */
  static fromBytes(file: Uint8Array): ScalableBloomFilter {
    const { head, body } = openFile(file, 'scalable-bloom', PARAMETERS)
    const [number, rateBits, growthBits, tighteningBits, scaling] = head.parameters
    const most = wholeNumber(number)
    const [rate, growth, tightening] = [floatOf(rateBits), floatOf(growthBits), floatOf(tighteningBits)]
    if (!(rate > 0 && rate < 1)) refuseFile(`the rate ${rate} is out of range`)
    const wrong = wrongShape(growth, tightening)
    if (wrong) refuseFile(wrong)
    if (scaling !== 0n && scaling !== 1n) refuseFile(`${scaling} is neither yes nor no`)
    if (most < 1 || most > (scaling ? MOST_LAYERS : 1)) refuseFile(`${most} layers are out of range`)
    if (body.length < most * LAYER_HEAD_BYTES) refuseFile('the file ends within the heads of its layers')
    const layers: ScalableLayer[] = []
    let from = most * LAYER_HEAD_BYTES
    for (let i = 0; i < most; i++) {
      const layer = ScalableLayer.read(body, i * LAYER_HEAD_BYTES, from)
      layers.push(layer)
      from += layer.array.length
    }
    if (from !== body.length) refuseFile(`the file goes on for ${body.length - from} bytes behind its last layer`)
    const { seed, count } = head
    const taken = layers.reduce((sum, layer) => sum + layer.count, 0)
    if (taken > count) refuseFile(`the layers have ${taken} keys, more than the ${count} that were added`)
    return new ScalableBloomFilter({ rate, growth, tightening, scaling: scaling === 1n, seed, count, layers, file })
  }

  /** As `fromBytes`, after reading all of the file. @throws {WaryError} `filter-format` */
  static verified(file: Uint8Array): ScalableBloomFilter {
    verifyFile(file)
    return ScalableBloomFilter.fromBytes(file)
  }

  /**
   * Reads the file that the filter was opened from, as it is now.
   * @throws {WaryError} `filter-format` where the checksum does not hold
   */
  verify(): void {
    if (this.#file) verifyFile(this.#file)
  }

  get count(): number {
    return this.#count
  }

  /** Keys that the layers there are take together. */
  get capacity(): number {
    return this.#layers.reduce((sum, { capacity }) => sum + capacity, 0)
  }

  /** m, of all layers together. */
  get bits(): number {
    return this.#layers.reduce((sum, { bits }) => sum + bits, 0)
  }

  /** How many there are. */
  get layers(): number {
    return this.#layers.length
  }

  get byteLength(): number {
    return headBytes(PARAMETERS) + this.#bodyLength()
  }

  #bodyLength(): number {
    return this.#layers.reduce((sum, { array }) => sum + LAYER_HEAD_BYTES + array.length, 0)
  }

  add(key: Key): boolean {
    hashKey(key, this.seed, this.#words)
    return this.#add(this.#words[0] as number, this.#words[1] as number)
  }

  addHash(high: number, low: number): boolean {
    return this.#add(seededHigh(high, low, this.#seedLow), low ^ this.#seedHigh)
  }

  #add(a: number, b: number): boolean {
    if (!this.#has(a, b)) {
      const last = this.#layers.at(-1)
      const layer = last?.isFull() ? this.#grow() : last
      if (!layer) return false
      layer.add(a, b)
    }
    this.#count++
    return true
  }

  /** A layer on top; undefined where there is to be none, or it would be too large. */
  #grow(): ScalableLayer | undefined {
    const number = this.#layers.length
    if (!this.scaling || number === MOST_LAYERS) return undefined
    const capacity = Math.ceil((this.#layers.at(-1)?.capacity ?? 0) * this.growth)
    const layer = ScalableLayer.create(capacity, this.rate * (1 - this.tightening) * this.tightening ** number)
    if (layer) this.#layers.push(layer)
    return layer
  }

  mightContain(key: Key): boolean {
    hashKey(key, this.seed, this.#words)
    return this.#has(this.#words[0] as number, this.#words[1] as number)
  }

  mightContainHash(high: number, low: number): boolean {
    return this.#has(seededHigh(high, low, this.#seedLow), low ^ this.#seedHigh)
  }

  /** The last layers have most keys. */
  #has(a: number, b: number): boolean {
    for (let i = this.#layers.length - 1; i >= 0; i--) if (this.#layers[i]?.has(a, b)) return true
    return false
  }

  /** Share of bits that are set, 0 to 1, over all layers. Counts them: linear in the filter's size. */
  fillRatio(): number {
    return this.#layers.reduce((set, { array }) => set + setBits(array), 0) / this.bits
  }

  /** The rate to expect with the keys that are in now, 0 to 1: one less the chance that no layer errs. */
  expectedRate(): number {
    // By logarithms: one less a number next to one would have no digits left.
    return -Math.expm1(this.#layers.reduce((sum, layer) => sum + Math.log1p(-layer.expectedRate()), 0))
  }

  toBytes(): Uint8Array<ArrayBuffer> {
    const { rate, growth, tightening, scaling, seed, count } = this
    const floats = [rate, growth, tightening].map(floatParameter)
    const parameters = [BigInt(this.#layers.length), ...floats, scaling ? 1n : 0n]
    const { file, body } = newFile({ kind: 'scalable-bloom', seed, count, parameters }, this.#bodyLength())
    let from = this.#layers.length * LAYER_HEAD_BYTES
    for (const [i, layer] of this.#layers.entries()) {
      layer.write(body, i * LAYER_HEAD_BYTES, from)
      from += layer.array.length
    }
    return seal(file)
  }
}

/** What is wrong with how the filter is to grow, if anything is. */
function wrongShape(growth: number, tightening: number): string | undefined {
  if (!(growth >= 1 && Number.isFinite(growth))) return `layers must not get smaller: ${growth}`
  if (typeof tightening !== 'number' || !(tightening > 0 && tightening < 1))
    return `the tightening must lie between 0 and 1, not ${tightening}`
  return undefined
}

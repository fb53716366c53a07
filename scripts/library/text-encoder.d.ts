/** All that the library takes from its host. Browsers, workers, Node.js, Deno and Bun have it. */
declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>
  encodeInto(text: string, into: Uint8Array): { read: number; written: number }
}

/** The tables of tldts-icann, which it types elsewhere than where they are. */
declare module 'tldts-icann/dist/cjs/src/data/trie.js' {
  export const nodeFlags: Uint8Array
  export const edgeStart: Uint16Array
  export const edgeLength: Uint8Array
  export const edgeChild: Uint16Array
  export const labelText: string
  export const rulesRoot: number
  export const exceptionsRoot: number
}

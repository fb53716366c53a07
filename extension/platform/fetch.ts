import type { Fetch } from '../../src/ports.ts'

/** The browser's fetch, called on the global object as it requires. */
export const systemFetch: Fetch = (url, init) => fetch(url, init)

import type { NetworkState } from '../../src/ports.ts'

/** Of the Network Information API, which Chrome has and Firefox has not. */
interface Connection {
  readonly saveData?: unknown
}

/** What the browser knows of the network: `metered` where the person has asked it to save data. `open` means little. */
export function networkState(): NetworkState {
  if (!navigator.onLine) return 'offline'
  const connection: Connection | undefined = 'connection' in navigator && navigator.connection ? navigator.connection : undefined
  return connection?.saveData === true ? 'metered' : 'open'
}

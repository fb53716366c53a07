/** Runs `work` unless another context of this browser runs work of the same name; then undefined (Web Locks API). */
export function exclusively<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
  return navigator.locks.request(name, { ifAvailable: true }, async (lock) => (lock === null ? undefined : await work()))
}

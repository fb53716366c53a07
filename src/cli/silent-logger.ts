import type { Logger } from '../ports.ts'

/** For commands that end with the failure itself on standard error. */
export const silentLogger: Logger = { info: () => undefined, warn: () => undefined }

import type { Logger } from '../../src/ports.ts'

/** To the extension's own console (about:debugging, chrome://extensions). Callers pass no page addresses. */
export const consoleLogger: Logger = {
  info: (event, facts) => console.info(`wary: ${event}`, facts ?? {}),
  warn: (event, error, facts) => console.warn(`wary: ${event}: ${error.code}: ${error.message}`, facts ?? {}),
}

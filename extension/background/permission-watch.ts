import { asWaryError } from '../../src/errors.ts'
import type { Logger } from '../../src/ports.ts'
import type { Protection } from './protection.ts'

export interface PermissionsApi {
  contains(permissions: { origins: string[] }): Promise<boolean>
  readonly onAdded: { addListener(listener: () => void): void }
  readonly onRemoved: { addListener(listener: () => void): void }
}

/** The host permission without which Firefox names no request to us; a person can withhold it, and nothing else would tell. */
export const EVERY_SITE = '<all_urls>'

export class PermissionWatch {
  readonly #permissions: PermissionsApi
  readonly #protection: Protection
  readonly #required: boolean
  readonly #logger: Logger

  constructor(options: {
    readonly permissions: PermissionsApi
    readonly protection: Protection
    readonly required: boolean
    readonly logger: Logger
  }) {
    this.#permissions = options.permissions
    this.#protection = options.protection
    this.#required = options.required
    this.#logger = options.logger
    this.#permissions.onAdded.addListener(() => void this.check())
    this.#permissions.onRemoved.addListener(() => void this.check())
  }

  /** Asks the browser what we hold now. */
  async check(): Promise<void> {
    if (!this.#required) return
    try {
      const held = await this.#permissions.contains({ origins: [EVERY_SITE] })
      this.#protection.obstruct(held ? undefined : 'no-permission')
    } catch (error) {
      this.#logger.warn('permission-unknown', asWaryError(error))
    }
  }
}

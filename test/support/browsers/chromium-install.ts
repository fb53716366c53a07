import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where Chromium's preferences say an extension came from (extensions/common/mojom/manifest.mojom). */
const UNPACKED = 4

type Json = Record<string, unknown>

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readJson(path: string): Json {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!isObject(value)) throw new Error(`${path} holds no object`)
  return value
}

/** The id that Chromium derives from a manifest's `key`: the first 16 bytes of its SHA-256, each half byte as a letter from `a`. */
export function extensionId(extensionDir: string): string {
  const { key } = readJson(join(extensionDir, 'manifest.json'))
  if (typeof key !== 'string') throw new Error(`The manifest in ${extensionDir} has no key, so its id would change with the folder`)
  const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 32)
  return [...digest].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join('')
}

/**
 * Makes an extension that an earlier start of the browser loaded by `--load-extension` a lasting one, as "Load unpacked" does. Otherwise each start
 * would install it anew: `onInstalled` instead of `onStartup`, and no listener is known until its service worker has run, so that the first
 * navigation is missed now and then. Answers false if this profile never had it, or where the browser signs its preferences (macOS, Windows).
 */
export function keepInstalled(profileDir: string, extensionDir: string): boolean {
  const path = join(profileDir, 'Default', 'Preferences')
  if (process.platform !== 'linux' || !existsSync(path)) return false
  const preferences = readJson(path)
  const extensions = preferences['extensions']
  if (!isObject(extensions) || !isObject(extensions['settings'])) return false
  const installed = extensions['settings'][extensionId(extensionDir)]
  if (!isObject(installed)) return false
  installed['location'] = UNPACKED
  installed['path'] = extensionDir
  const ui = isObject(extensions['ui']) ? extensions['ui'] : {}
  extensions['ui'] = { ...ui, developer_mode: true }
  writeFileSync(path, JSON.stringify(preferences))
  return true
}

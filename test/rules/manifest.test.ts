import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { firefoxManifest } from '../../scripts/firefox-manifest.ts'

function readRoot(name: string) {
  return JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'))
}

describe('manifests', () => {
  const chrome: Record<string, unknown> = readRoot('manifest.json')
  const firefox = firefoxManifest(readRoot('manifest.json'))

  test('the extension has the version of the package', () => {
    expect(chrome.version).toBe(readRoot('package.json').version)
  })

  test('Chrome: no host permission, nothing that websites can open, no more than four interfaces', () => {
    expect(chrome.permissions).toEqual(['webNavigation', 'declarativeNetRequest', 'storage', 'alarms', 'contextMenus'])
    for (const key of ['host_permissions', 'web_accessible_resources', 'content_scripts', 'externally_connectable']) {
      expect(chrome).not.toHaveProperty(key)
    }
    // Asked for one site at a time, when a person adds a feed or Google's lists.
    expect(chrome.optional_host_permissions).toEqual(['https://*/*', 'http://127.0.0.1/*', 'http://localhost/*'])
  })

  test('Firefox: the same but for what that browser needs', () => {
    expect(firefox).toMatchObject({
      version: chrome.version,
      content_security_policy: chrome.content_security_policy,
      background: { scripts: ['extension/background/index.ts'] },
      permissions: ['webRequest', 'webRequestBlocking', 'webNavigation', 'storage', 'alarms', 'contextMenus'],
      host_permissions: ['<all_urls>'],
      browser_specific_settings: { gecko: { id: 'wary@wary.dev', strict_min_version: '142.0' } },
    })
    for (const key of ['key', 'minimum_chrome_version', 'incognito', 'optional_host_permissions']) expect(firefox).not.toHaveProperty(key)
  })

  test('the policy lets pages load only what is in the package, and no code from text', () => {
    const policy = JSON.stringify(chrome.content_security_policy)
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).not.toMatch(/unsafe|data:|blob:/)
  })
})

import type { ManifestV3Export } from '@crxjs/vite-plugin'

/** The add-on's fixed id: policies, tests and AMO know it by this. */
export const GECKO_ID = 'wary@wary.dev'
const FIREFOX_PERMISSIONS = ['webRequest', 'webRequestBlocking', 'webNavigation', 'storage', 'alarms', 'contextMenus']

/**
 * Firefox's manifest, made from Chrome's (the root manifest.json). Differences, each because the browsers differ:
 * an event page instead of a service worker; the blocking `webRequest` that holds every navigation, which needs `<all_urls>`;
 * our pages web-accessible, since `redirectUrl` leads to them; no keys that only Chrome knows.
 */
export function firefoxManifest(chrome: ManifestV3Export): ManifestV3Export {
  if (typeof chrome !== 'object' || chrome instanceof Promise) throw new TypeError('manifest.json must be an object')
  const { key, minimum_chrome_version, incognito, optional_host_permissions, background, ...shared } = chrome
  if (!background || !('service_worker' in background)) throw new TypeError('manifest.json must name background.service_worker')
  const manifest = {
    ...shared,
    permissions: FIREFOX_PERMISSIONS,
    host_permissions: ['<all_urls>'],
    background: { scripts: [background.service_worker], type: 'module' },
    web_accessible_resources: [{ matches: ['<all_urls>'], resources: ['extension/warning/index.html', 'extension/checking/index.html'] }],
    browser_specific_settings: {
      gecko: {
        id: GECKO_ID,
        strict_min_version: '142.0',
        // The prefix of a listed page's hash goes to the verification server: it says something about where a person browses.
        data_collection_permissions: { required: ['browsingActivity'] },
      },
    },
  }
  return manifest as ManifestV3Export
}

/**
 * `npm run screenshots [-- chromium | firefox] [LANGUAGE ...]`: every page of the extension in every state, by the real extension in real browsers, light and dark, in English
 * and Arabic unless other languages are named. All of them go to .wary/screenshots/BROWSER/LANGUAGE; the few of `docs/` that documents
 * show go to docs/images, in at most 256 colours.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BROWSER_NAMES, type BrowserName } from '../../test/support/browsers/browser-under-test.ts'
import { launchBrowser } from '../../test/support/browsers/launch.ts'
import { localizedBuild } from '../../test/support/pages/localized-build.ts'
import { PAGE_STATES, type PageState, Stage } from '../../test/support/pages/page-state.ts'
import { pause } from '../../test/support/until.ts'
import { World } from '../../test/support/world.ts'
import { smallPng } from './small-png.ts'

const ALL = '.wary/screenshots'
const KEPT = 'docs/images'
/** What is kept: browser, language, state, scheme; and the name in docs/images. */
const KEEP: Readonly<Record<string, string>> = {
  'chromium/en/warning-phishing-light': 'warning.png',
  'chromium/en/warning-phishing-dark': 'warning-dark.png',
  'firefox/ar/warning-phishing-light': 'warning-arabic.png',
  'firefox/en/warning-unverified-light': 'warning-unverified.png',
  'firefox/en/warning-details-dark': 'warning-details-dark.png',
  'chromium/en/popup-light': 'popup.png',
  'firefox/en/popup-threat-dark': 'popup-threat-dark.png',
  'chromium/ar/popup-light': 'popup-arabic.png',
  'chromium/en/options-light': 'options.png',
  'firefox/en/welcome-lists-light': 'welcome.png',
  'chromium/en/link-threat-light': 'link.png',
}
const SETTLED_MS = 250

async function picture(stage: Stage, state: PageState, folder: string): Promise<void> {
  const tab = await state.open(stage)
  try {
    await tab.setViewport(state.width, state.height)
    await pause(SETTLED_MS)
    for (const scheme of ['light', 'dark']) {
      const path = join(ALL, folder, `${state.name}-${scheme}.png`)
      await tab.screenshot(path, { dark: scheme === 'dark' })
      const kept = KEEP[`${folder}/${state.name}-${scheme}`]
      if (kept !== undefined) writeFileSync(join(KEPT, kept), smallPng(readFileSync(path)))
    }
  } finally {
    await tab.close()
  }
}

async function pictures(name: BrowserName, language: string): Promise<number> {
  const folder = `${name}/${language}`
  mkdirSync(join(ALL, folder), { recursive: true })
  const world = await World.start(name)
  let taken = 0
  try {
    await Stage.prepare(world)
    const browser = await launchBrowser(name, { extensionDir: localizedBuild(world.extensionDir, language, join(world.folder, language)) })
    try {
      const stage = new Stage({ world, browser })
      await stage.extension.untilProtected()
      for (const state of PAGE_STATES) {
        if (state.browser !== undefined && state.browser !== name) continue
        await picture(stage, state, folder)
        taken += 2
      }
    } finally {
      await browser.close()
    }
  } finally {
    await world.stop()
  }
  return taken
}

const words = process.argv.slice(2)
const names = BROWSER_NAMES.filter((name) => words.includes(name))
const languages = words.filter((word) => !BROWSER_NAMES.some((name) => name === word))
mkdirSync(KEPT, { recursive: true })
for (const name of names.length > 0 ? names : BROWSER_NAMES) {
  for (const language of languages.length > 0 ? languages : ['en', 'ar']) {
    console.log(`${name} ${language}: ${await pictures(name, language)} pictures in ${ALL}/${name}/${language}`)
  }
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BrowserName } from '../test/support/browsers/browser-under-test.ts'
import { launchBrowser } from '../test/support/browsers/launch.ts'
import { Demo, tourFolder } from './demo/demo.ts'
import { tableHead, tableRow } from './demo/table.ts'
import { runTour } from './demo/tour.ts'

const HELP = `npm start                 opens Chromium with Wary in it, on a page that says what to try
npm start -- --firefox    the same in Firefox
npm start -- --tour       a tour without a window: what Wary does, a row a step; exit 1 if a step is not what it should be
npm -s start -- --tour --json   the tour as JSON, for scripts

Everything runs on this device and is gone after the end; Ctrl-C ends it. Screenshots of the tour stay in .wary/tour.
`

/** Progress goes to standard error: standard output is for the tour's rows. */
function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

function hasDisplay(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY)
}

/** What was typed after `--`; undefined, with a word why, for what nobody knows. */
function options() {
  try {
    return parseArgs({
      options: { firefox: { type: 'boolean' }, tour: { type: 'boolean' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
    }).values
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`)
    return undefined
  }
}

async function main(): Promise<number> {
  const values = options()
  if (values === undefined) return 2
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const browser: BrowserName = values.firefox ? 'firefox' : 'chromium'
  const touring = values.tour || !hasDisplay()
  if (!values.tour && touring) say('There is no display here, so this is the tour instead.')

  const demo = await Demo.prepare()
  const ends: (() => Promise<void>)[] = [() => demo.stop()]
  let ending = false
  const end = async (): Promise<void> => {
    for (const each of ends.splice(0).reverse()) await each()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      ending = true
      say('\nEnding everything that was started ...')
      void end().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143))
    })
  }
  try {
    say('Publishing a list from the npm package eth-phishing-detect ...')
    const publication = await demo.publish()
    for (const { name, entries, listBytes, filterBytes, feeds } of publication.lists) {
      const rejected = feeds.reduce((sum, feed) => sum + feed.rejects.length, 0)
      say(`  ${name}: ${entries} entries (${rejected} lines rejected), list ${listBytes} bytes, filter ${filterBytes} bytes`)
    }
    await demo.up()
    say(`Verification server: ${demo.serverUrl}`)
    say(`Building the extension for ${browser} and starting the browser ...`)
    return touring ? await tour(browser, demo, ends, values.json === true) : await open(browser, demo, ends)
  } catch (error) {
    // What was under way when everything was ended fails; the signal's own exit follows.
    if (ending) return new Promise<number>(() => undefined)
    throw error
  } finally {
    await end()
  }
}

async function tour(browser: BrowserName, demo: Demo, ends: (() => Promise<void>)[], json: boolean): Promise<number> {
  if (!json) process.stdout.write(`${tableHead()}\n`)
  const made = await runTour(browser, demo, {
    onRow: (row) => {
      if (!json) process.stdout.write(`${tableRow(row)}\n`)
    },
    onBrowser: (started) => ends.push(() => started.close()),
  })
  writeFileSync(join(tourFolder(browser), 'tour.json'), `${JSON.stringify(made, null, 2)}\n`)
  if (json) process.stdout.write(`${JSON.stringify(made, null, 2)}\n`)
  else {
    process.stdout.write(`\n${made.version}: ${made.ok ? 'every step is what it should be' : 'SOME STEPS ARE NOT WHAT THEY SHOULD BE'}\n`)
    process.stdout.write(`Screenshots: ${made.screenshots.join(', ')}\n`)
  }
  return made.ok ? 0 : 1
}

async function open(name: BrowserName, demo: Demo, ends: (() => Promise<void>)[]): Promise<number> {
  const browser = await launchBrowser(name, { extensionDir: await demo.build(name), headless: false, resolve: 'wary' })
  ends.push(() => browser.close())
  const tab = await browser.newPage()
  await tab.goto(demo.startUrl)
  say(`The browser is open at ${demo.startUrl}. Close it, or press Ctrl-C here, to end everything.`)
  await browser.ended()
  return 0
}

process.exitCode = await main()

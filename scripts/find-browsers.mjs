import { accessSync, constants } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

// Google Chrome is not among them: since version 137 its branded builds refuse to load an unpacked extension from the command line.
export const BROWSERS = {
  chromium: {
    variable: 'WARY_CHROMIUM',
    aptPackage: 'chromium',
    advice:
      'Chromium: https://www.chromium.org/getting-involved/download-chromium (Google Chrome refuses an extension from a folder). ' +
      'Debian: apt install chromium; macOS: brew install --cask chromium.',
    commands: ['chromium', 'chromium-browser'],
    paths: {
      linux: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/snap/bin/chromium'],
      darwin: ['/Applications/Chromium.app/Contents/MacOS/Chromium', join(homedir(), 'Applications/Chromium.app/Contents/MacOS/Chromium')],
      win32: [
        join(process.env.LOCALAPPDATA ?? 'C:\\', 'Chromium\\Application\\chrome.exe'),
        join(process.env.PROGRAMFILES ?? 'C:\\Program Files', 'Chromium\\Application\\chrome.exe'),
      ],
    },
  },
  firefox: {
    variable: 'WARY_FIREFOX',
    aptPackage: 'firefox-esr',
    advice:
      'Firefox 142 or newer, best ESR or Developer Edition: https://www.mozilla.org/firefox/all. Debian: apt install firefox-esr; ' +
      'macOS: brew install --cask firefox@esr.',
    commands: ['firefox-esr', 'firefox'],
    paths: {
      linux: ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/snap/bin/firefox'],
      darwin: [
        '/Applications/Firefox ESR.app/Contents/MacOS/firefox',
        '/Applications/Firefox Developer Edition.app/Contents/MacOS/firefox',
        '/Applications/Firefox.app/Contents/MacOS/firefox',
        join(homedir(), 'Applications/Firefox.app/Contents/MacOS/firefox'),
      ],
      win32: [
        join(process.env.PROGRAMFILES ?? 'C:\\Program Files', 'Firefox Developer Edition\\firefox.exe'),
        join(process.env.PROGRAMFILES ?? 'C:\\Program Files', 'Mozilla Firefox\\firefox.exe'),
      ],
    },
  },
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false // missing or not executable: the next candidate
  }
}

/**
 * Path of an installed browser, or undefined: the variable WARY_CHROMIUM or WARY_FIREFOX, then PATH, then the usual places.
 * @param {'chromium' | 'firefox'} name
 */
export function findBrowser(name) {
  const { variable, commands, paths } = BROWSERS[name]
  const chosen = process.env[variable]
  if (chosen) return isProgram(chosen) ? chosen : undefined
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((dir) => commands.map((command) => join(dir, command + suffix)))
  return [...onPath, ...(paths[process.platform] ?? [])].find(isProgram)
}

/**
 * Path of an installed browser; throws an Error that says what to install.
 * @param {'chromium' | 'firefox'} name
 */
export function browserExecutable(name) {
  const found = findBrowser(name)
  if (found === undefined) throw new Error(`No ${name} found. Install it, or set ${BROWSERS[name].variable} to its path.`)
  return found
}

/**
 * Makes a fresh clone ready without any package: Node's version, npm's packages, browsers. Everything that it says goes to stderr, so that
 * `--json` on stdout stays whole.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BROWSERS, findBrowser } from './find-browsers.mjs'

const OLDEST_NODE = [20, 19]
const STILL_BUSY_MS = 10_000
const root = new URL('..', import.meta.url)
const lock = new URL('package-lock.json', root)
/** Holds the hash of the lock file that node_modules was installed from. */
const stamp = new URL('node_modules/.wary-lock', root)

const say = (text) => console.error(text)

function stop(text) {
  say(text)
  process.exit(1)
}

/** Runs a command with its output on stderr and a sign of life now and then. */
async function run(command, args, options = {}) {
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  const child = spawn(command, args, { cwd: fileURLToPath(root), stdio: ['ignore', 2, 2], ...options })
  const timer = setInterval(() => say(`  ... ${command} is still busy, ${seconds()} s`), STILL_BUSY_MS)
  const code = await new Promise((done) => {
    child.once('error', (error) => {
      say(`  ${command}: ${error.message}`)
      done(1)
    })
    child.once('close', done)
  })
  clearInterval(timer)
  if (code === 0) say(`  done in ${seconds()} s`)
  return code
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return
  stop(`Wary needs Node ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node} (${process.execPath}).`)
}

const lockHash = () => createHash('sha256').update(readFileSync(lock)).digest('hex')

/** Notes that node_modules belongs to the lock file as it is now. npm calls this after each change of node_modules. */
function writeStamp() {
  mkdirSync(new URL('.', stamp), { recursive: true })
  writeFileSync(stamp, `${lockHash()}\n`)
}

async function installPackages() {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8').trim() === lockHash()) return
  say('Installing packages (npm ci) ...')
  // npm is a script on Windows, which only a shell starts.
  const code = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    shell: process.platform === 'win32',
  })
  if (code !== 0) stop('npm ci failed; see above.')
  writeStamp()
}

/** Debian and Ubuntu, as root. Ubuntu's own packages only point to snaps, which is for a person to decide. */
function canUseApt() {
  if (process.platform !== 'linux' || process.getuid() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(release)
}

async function installBrowsers(names) {
  const missing = () => names.filter((name) => findBrowser(name) === undefined)
  if (missing().length === 0) return
  for (const name of missing()) {
    const { variable } = BROWSERS[name]
    if (process.env[variable]) stop(`${variable}=${process.env[variable]} is not a program.`)
  }
  if (canUseApt()) {
    const packages = missing().map((name) => BROWSERS[name].aptPackage)
    say(`Installing ${packages.join(' and ')} (apt-get) ...`)
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get', ['update', '-q'], { env })
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], { env })
  }
  if (missing().length === 0) return
  say('A browser is missing:')
  for (const name of missing()) say(`  ${BROWSERS[name].advice}\n  Or set ${BROWSERS[name].variable} to its path.`)
  process.exit(1)
}

/**
 * Ends the process with code 1 and a reason if something is missing that it cannot get.
 * @param {{ browsers: readonly ('chromium' | 'firefox')[] }} needs
 */
export async function bootstrap({ browsers }) {
  checkNode()
  await installPackages()
  await installBrowsers(browsers)
}

if (process.argv[2] === '--stamp') writeStamp()

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toHex } from '../../src/bytes.ts'
import { readKeyFile } from '../../src/publisher/key-file.ts'
import { jsonOf, wary, waryHere } from '../support/cli.ts'
import { temporaryFolder } from '../support/publisher.ts'

test('makes a key that only its owner may read, and says the public half', async () => {
  const cwd = temporaryFolder()
  const made = await wary(['keygen'], { cwd })
  expect(made).toMatchObject({ code: 0, stderr: '' })
  const path = join(cwd, 'wary.key')
  const publicKey = toHex(readKeyFile(path).publicKey)
  expect(made.stdout).toMatch(new RegExp(`^  public key    ${publicKey}$`, 'm'))
  expect(readFileSync(`${path}.pub`, 'utf8')).toBe(`${publicKey}\n`)
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(made.stdout).not.toContain(readFileSync(path, 'utf8').split('\n')[1])
})

test('prints JSON, and never overwrites a key', async () => {
  const path = join(temporaryFolder(), 'root.key')
  const made = await waryHere(['keygen', '--out', path, '--json'])
  const { publicKey, id } = readKeyFile(path)
  expect(jsonOf(made)).toEqual({ file: path, publicFile: `${path}.pub`, publicKey: toHex(publicKey), keyId: toHex(id) })
  const again = await waryHere(['keygen', '--out', path])
  expect(again).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^wary: key-file: .*never overwritten.*\n$/) })
  expect(readKeyFile(path).publicKey).toEqual(publicKey)
})

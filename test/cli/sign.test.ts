import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { encodeListState } from '../../src/lists/signed-state.ts'
import { createKeyFile } from '../../src/publisher/key-file.ts'
import { jsonOf, waryHere } from '../support/cli.ts'
import { FakeClock } from '../support/fakes.ts'
import { temporaryFolder } from '../support/publisher.ts'
import { DAY, type ListPlan, planned } from '../support/signed-list.ts'

function place() {
  const folder = temporaryFolder()
  const key = join(folder, 'ann.key')
  const id = Buffer.from(createKeyFile(key).id).toString('hex')
  const clock = new FakeClock()
  const statement = (name: string, plan: ListPlan = {}): string => {
    const path = join(folder, name)
    writeFileSync(path, encodeListState(planned(plan).state))
    return path
  }
  return { folder, key, id, clock, statement, sign: (...args: string[]) => waryHere(['sign', ...args], { clock }) }
}

test('says what is signed, then signs it', async () => {
  const { sign, key, id, statement } = place()
  const path = statement('se-4b.list.statement', { sequence: 42 })
  const shown = await sign(path, '--show')
  expect(shown.stdout).toMatch(/^The list se-4b \(/)
  expect(shown.stdout).toMatch(/^ {2}epoch, sequence +1, 42$/m)
  expect(existsSync(`${path}.${id}.sig`)).toBe(false)
  const signed = await sign(path, '--key', key)
  expect(signed).toEqual({ code: 0, stderr: '', stdout: `${shown.stdout}Signed: ${path}.${id}.sig\n` })
  expect(jsonOf(await sign(path, '--key', key, '--json'))).toMatchObject({
    statements: [{ file: path, kind: 'list', facts: { 'epoch, sequence': '1, 42', entries: '5 of 4 bytes' } }],
    signatures: [`${path}.${id}.sig`],
  })
})

test('refuses what is older or unreadable, and notes what has expired', async () => {
  const { sign, key, clock, statement, folder } = place()
  await sign(statement('new', { sequence: 42 }), '--key', key)
  const old = await sign(statement('old', { sequence: 41 }), '--key', key)
  expect(old.code).toBe(1)
  expect(old.stderr).toMatch(/^wary: sign-refused: .*it is epoch 1, sequence 41, and this key has signed epoch 1, sequence 42 before/)
  writeFileSync(join(folder, 'letter'), 'Dear key,\u001b[31m sign this')
  expect((await sign(join(folder, 'letter'), '--show')).stderr).toMatch(
    /^wary: sign-refused: .*no statement of a list, a filter or a key set\n$/,
  )
  clock.advance(4 * DAY)
  expect((await sign(statement('late', { sequence: 43 }), '--key', key)).stderr).toMatch(
    /^note: .*late expired at .* by the clock of this computer\n$/,
  )
})

test('needs a key or --show, and a file', async () => {
  const { sign, key, statement } = place()
  const path = statement('x')
  for (const args of [[path], [path, '--key', key, '--show'], ['--key', key]]) expect((await sign(...args)).code).toBe(2)
})

import { expect, test } from 'vitest'
import { wary, waryHere } from '../support/cli.ts'

test('as a program: help, version, and a wrong command', async () => {
  const [help, version, wrong] = await Promise.all([wary(['--help']), wary(['--version']), wary(['bogus'])])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  for (const command of ['keygen', 'publish', 'serve', 'check', 'filter', 'expressions', 'list', 'keys', 'sign'])
    expect(help.stdout).toMatch(new RegExp(`^  ${command} `, 'm'))
  expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' })
  expect(wrong).toEqual({ code: 2, stdout: '', stderr: 'wary: usage: unknown command \'bogus\' ("wary --help" says more)\n' })
})

test.each([
  [],
  ['keygen'],
  ['publish'],
  ['serve'],
  ['check'],
  ['filter'],
  ['filter', 'build'],
  ['filter', 'info'],
  ['filter', 'query'],
  ['expressions'],
  ['list'],
  ['list', 'show'],
  ['list', 'encode'],
  ['keys'],
  ['keys', 'init'],
  ['keys', 'rotate'],
  ['keys', 'show'],
  ['sign'],
])('%s %s has help with an example', async (...command) => {
  const { code, stdout, stderr } = await waryHere([...command, '--help'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`Usage: ${['wary', ...command].join(' ')} `)
  expect(stdout).toMatch(/\nExample:\n {2}wary /)
  expect(
    Math.max(
      ...(stdout
        .split('\nExample:')[0]
        ?.split('\n')
        .map((line) => line.length) ?? []),
    ),
  ).toBeLessThanOrEqual(80)
})

test.each([[[]], [['filter']], [['list']], [['keys']]])('%j alone shows help as an error', async (args) => {
  const { code, stdout, stderr } = await waryHere(args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('Commands:')
})

test.each([
  [['publish', '--fed', 'x'], 'wary publish'],
  [['publish'], 'wary publish'],
  [['publish', '--feed', 'nocolon'], 'wary publish'],
  [['publish', '--feed', 'csv:x'], 'wary publish'],
  [['publish', '--feed', 'plain:'], 'wary publish'],
  [['publish', '--feed', 'plain:x', '--list', 'zz'], 'wary publish'],
  [['publish', '--feed', 'plain:x', '--list', 'se', '--list', 'mw', '--feed', 'plain:y'], 'wary publish'],
  [['publish', '--list', 'se', '--feed', 'plain:x', '--list', 'mw'], 'wary publish'],
  [['publish', '--list', 'se', '--list', 'se', '--feed', 'plain:x'], 'wary publish'],
  [['publish', '--feed', 'plain:x', '--epoch', '0'], 'wary publish'],
  [['publish', '--feed', 'plain:x', '--expires-days', '-1'], 'wary publish'],
  [['publish', '--feed', 'plain:x', '--minimum-wait', '1e9'], 'wary publish'],
  [['publish', '--feed', 'plain:x', 'extra'], 'wary publish'],
  [['serve', '--port', '65536'], 'wary serve'],
  [['serve', '--port', '80x'], 'wary serve'],
  [['check'], 'wary check'],
  [['check', 'http://['], 'wary check'],
  [['check', 'a.test', 'b.test'], 'wary check'],
  [['check', 'a.test', '--server', 'https://lists.test'], 'wary check'],
  [['check', 'a.test', '--server', 'lists.test'], 'wary check'],
  [['check', 'a.test', '--server', 'http://lists.test', '--key', '00'.repeat(32)], 'wary check'],
  [['check', 'a.test', '--server', 'http://127.0.0.1:1', '--key', 'wary.key'], 'wary check'],
  [['check', 'a.test', '--server', 'http://127.0.0.1:1', '--data', '.'], 'wary check'],
  [['expressions', 'urls.txt'], 'wary expressions'],
  [['list', 'show'], 'wary list show'],
  [['list', 'encode', '--name', 'se-4b'], 'wary list encode'],
  [['list', 'encode', '--name', 'se-4b', '--size', '5'], 'wary list encode'],
  [['filter', 'build'], 'wary filter build'],
  [['filter', 'build', '--out', 'x', '--rate', '1'], 'wary filter build'],
  [['filter', 'build', '--out', 'x', '--rate', '0'], 'wary filter build'],
  [['filter', 'build', '--out', 'x', '--capacity', '1.5'], 'wary filter build'],
  [['filter', 'build', 'keys.txt', '--out', 'x', '--hash-list', 'y'], 'wary filter build'],
  [['filter', 'query', 'x.filter'], 'wary filter query'],
  [['filter', 'query', 'x.filter', 'xyz', '--hex'], 'wary filter query'],
  [['filter', 'nosuch'], 'wary filter'],
])('%j is a wrong command line', async (args, command) => {
  const { code, stdout, stderr } = await waryHere(args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^wary: usage: .+\n$/)
  expect(stderr).toContain(`("${command} --help" says more)`)
})

test('no control character of a command line reaches the terminal', async () => {
  const { stderr } = await waryHere(['\u001b[31mred\u0085\u202e\n'])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
  expect(stderr).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u202e]+\n$/)
})

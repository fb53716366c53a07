import { expect, it } from 'vitest'
import { fromHex } from '../../src/bytes.ts'
import { formatSubscribeLink, parseSubscribeLink } from '../../src/lists/subscribe-link.ts'

// What is taken and what is not: test/vectors/wary_subscribe_links.json. Here: what a person is told.
const HEX = '81c518d3f451766ac271edc456fa636ee3835d01bc0fd3415ce1c6cafa7ad86a'

it.each([
  ['', /it is empty/],
  ['lists.example', /it must be an address such as https:\/\/lists\.example\/#wary=/],
  [`ftp://lists.example/#wary=${HEX}`, /it must begin with https:/],
  [`http://lists.example/#wary=${HEX}`, /asked over https/],
  [`https://a:b@lists.example/#wary=${HEX}`, /user name or a password/],
  [`https://lists.example/a#wary=${HEX}`, /nothing may stand between/],
  ['https://lists.example/', /"#wary=" on is missing: it says whose lists/],
  [`https://lists.example/#key=${HEX}`, /must go on with "#wary="/],
  ['https://lists.example/#wary=xyz', /hexadecimal digits only/],
  ['https://lists.example/#wary=81c5', /64 hexadecimal digits, not 4: was all of it copied\?/],
])('%j: says what is wrong', (text, message) => {
  expect(() => parseSubscribeLink(text)).toThrow(
    expect.objectContaining({ code: 'setting-invalid', message: expect.stringMatching(message) }),
  )
})

it('is written for a server as somebody typed it, and for no other', () => {
  const fingerprint = fromHex(HEX)
  for (const server of ['https://Lists.example', 'https://lists.example/', 'https://lists.example//'])
    expect(formatSubscribeLink({ server, fingerprint })).toBe(`https://lists.example/#wary=${HEX}`)
  for (const server of ['', 'lists.example', 'http://lists.example', 'https://lists.example/a', 'https://lists.example/#b'])
    expect(() => formatSubscribeLink({ server, fingerprint })).toThrow(expect.objectContaining({ code: 'setting-invalid' }))
  expect(() => formatSubscribeLink({ server: 'https://lists.example', fingerprint: fingerprint.subarray(1) })).toThrow(RangeError)
})

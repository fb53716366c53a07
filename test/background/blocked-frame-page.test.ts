import { expect, it } from 'vitest'
import { blockedFramePage } from '../../extension/background/blocked-frame-page.ts'

it('is a whole page without script or link, and takes its text as text', () => {
  const address = blockedFramePage({
    title: 'A <b>"title"</b> & more',
    text: '<script>alert(1)</script>',
    language: 'ar',
    direction: 'rtl',
  })
  const [head, body] = address.split(/,(.*)/s)
  expect(head).toBe('data:text/html;charset=utf-8')
  const html = decodeURIComponent(body ?? '')
  expect(html).toContain('<html lang="ar" dir="rtl">')
  expect(html).toContain('<h1>A &#60;b&#62;&#34;title&#34;&#60;/b&#62; &#38; more</h1>')
  expect(html).not.toMatch(/<script|<a |href|src=/)
})

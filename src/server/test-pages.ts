import { pageAnswer } from './answers.ts'

/** Pages of the test entries, so that anybody can see a warning. Their hosts lead here where a browser or the system resolves them to this server. */
const PAGES: ReadonlyMap<string, { readonly title: string; readonly text: string }> = new Map([
  ['phishing.wary.test/', listed('Test page: phishing', 'Every list of Wary holds this address as phishing.')],
  ['malware.wary.test/', listed('Test page: malware', 'Every list of Wary holds this address as malware.')],
  ['unwanted.wary.test/', listed('Test page: unwanted software', 'Every list of Wary holds this address as unwanted software.')],
  [
    'harmful.wary.test/',
    listed('Test page: harmful application', 'Every list of Wary holds this address as a potentially harmful application.'),
  ],
  ['safe.wary.test/', { title: 'Test page: safe', text: 'This page is on no list. One page of this host is: /listed/page.html' }],
  ['safe.wary.test/listed/page.html', listed('Test page: one listed page', 'Every list of Wary holds this page, and not its host.')],
])

function listed(title: string, text: string): { readonly title: string; readonly text: string } {
  return { title, text: `${text} There is nothing bad here. A browser that uses such a list shows a warning before this page.` }
}

/** The test page of a host and path; undefined where there is none. */
export function testPage(host: string, path: string): Response | undefined {
  const page = PAGES.get(`${host}${path}`)
  return page && pageAnswer(page.title, `<p>${page.text}</p>`)
}

/** Pages of the test entries, so that anybody can see a warning, by host. Their names lead here where they are resolved to this server. */
const PAGES: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  'phishing.wary.test/': page('Test page: phishing', 'Every list of Wary holds this address as phishing.'),
  'malware.wary.test/': page('Test page: malware', 'Every list of Wary holds this address as malware.'),
  'unwanted.wary.test/': page('Test page: unwanted software', 'Every list of Wary holds this address as unwanted software.'),
  'harmful.wary.test/': page(
    'Test page: harmful application',
    'Every list of Wary holds this address as a potentially harmful application.',
  ),
  'safe.wary.test/': { title: 'Test page: safe', text: 'This page is on no list. One page of this host is: /listed/page.html' },
  'safe.wary.test/listed/page.html': page('Test page: a listed page', 'Every list of Wary holds this page, and not its host.'),
}

function page(title: string, listed: string): { title: string; text: string } {
  return {
    title,
    text: `${listed} There is nothing bad here. If you see this page without a warning before it, this browser does not use such a list.`,
  }
}

/** The test page of a host and path; undefined where there is none. */
export function testPage(host: string, path: string): Response | undefined {
  const found = PAGES[`${host}${path}`]
  if (found === undefined) return undefined
  return htmlPage(found.title, `<p>${found.text}</p>`)
}

/** A page of this server. `body` is markup of ours, never text from a request. */
export function htmlPage(title: string, body: string): Response {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
</head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      'cache-control': 'no-store',
    },
  })
}

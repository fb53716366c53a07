/** The page that `npm start` opens: what to try, with links to the test entries. */
export function startPage(options: { readonly server: string; readonly site: (host: string, path?: string) => string }): string {
  const { server, site } = options
  const link = (text: string, host: string, path?: string): string => `<a href="${site(host, path)}">${text}</a>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Wary is in this browser</title>
<link rel="icon" href="data:,">
<style>
body { font: 17px/1.6 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1.5rem; }
li { margin: 0.6em 0; }
code { font-size: 0.9em; }
</style>
</head>
<body>
<h1>Wary is in this browser</h1>
<p>Every page is checked on this device against a list of 13,752 phishing domains before it opens. Try this:</p>
<ol>
<li>Open ${link('a safe page', 'safe.wary.test')}. Nothing is sent to the server.</li>
<li>Open a page that is listed as ${link('phishing', 'phishing.wary.test')}, ${link('malware', 'malware.wary.test')}, ${link('unwanted software', 'unwanted.wary.test')}
or ${link('a harmful application', 'harmful.wary.test')}. Go back, or look at the details and open it once.</li>
<li>Open ${link('one listed page', 'safe.wary.test', '/listed/page.html')} of a host that is safe otherwise.</li>
<li>Click Wary’s button in the toolbar (in Chromium it hides behind the puzzle piece): what it says of this page, the list, its filter, “Update now”.</li>
<li>See what the server says of itself: <a href="${server}/healthz">${server}/healthz</a>.</li>
</ol>
<p>These test pages are on every list that Wary publishes; there is nothing bad behind them. Close the browser, or press Ctrl-C in the
terminal, to end everything that was started.</p>
</body>
</html>
`
}

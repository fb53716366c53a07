// Counts the navigations that it sees. The count in storage.local must survive a stop of the background and a restart of the browser.
const api = globalThis.browser ?? globalThis.chrome
const started = Date.now()
let queue = Promise.resolve()

async function count(url) {
  const { seen = [], starts = [] } = await api.storage.local.get(['seen', 'starts'])
  await api.storage.local.set({ seen: [...seen, url], starts: starts.includes(started) ? starts : [...starts, started] })
}

api.webNavigation.onBeforeNavigate.addListener((details) => {
  if (details.frameId !== 0 || !details.url.startsWith('http')) return
  queue = queue.then(() => count(details.url))
})

api.runtime.onMessage.addListener((message, _sender, answer) => {
  if (message !== 'seen') return false
  queue.then(() => api.storage.local.get(['seen', 'starts'])).then(answer)
  return true
})

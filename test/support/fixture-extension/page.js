const api = globalThis.browser ?? globalThis.chrome
document.querySelector('#ask').addEventListener('click', async () => {
  document.querySelector('#seen').textContent = JSON.stringify(await api.runtime.sendMessage('seen'))
})

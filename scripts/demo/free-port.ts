import { type AddressInfo, createServer } from 'node:net'

/** `wanted` if nobody listens there, else any free port of loopback. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(wanted, '127.0.0.1', resolve)
    })
  } catch (error) {
    if (wanted === 0) throw error
    return freePort()
  }
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}

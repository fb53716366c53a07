import { expect, it } from 'vitest'
import { ColdTraffic } from '../../extension/background/cold-traffic.ts'

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

it('lets the load begin after its grace, and not while a check is under way, however it ends', async () => {
  const traffic = new ColdTraffic({ pause: () => pause(5) })
  const order: string[] = []
  const waiting = traffic.clear().then(() => order.push('load'))
  const check = async (ms: number, fails = false) => {
    await pause(ms)
    order.push(`check ${ms}`)
    if (fails) throw new Error('damaged')
  }
  const first = traffic.during(check(20))
  const second = traffic.during(check(30, true))
  await expect(second).rejects.toThrow('damaged')
  await first
  await waiting
  expect(order).toEqual(['check 20', 'check 30', 'load'])
  await traffic.clear()
})

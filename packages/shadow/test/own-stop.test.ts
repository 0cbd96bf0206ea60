import { beforeEach, expect, test } from 'vitest'
import { verifyShadow } from '../src/verify.ts'
import { openScene, type Scene } from './scene.ts'
import { CODE } from './stage.ts'

let scene: Scene

beforeEach(async () => {
  scene = await openScene()
})

const texts = () => scene.shadows.reasons(scene.userId, CODE).map(({ text }) => text)
const stock = () => scene.account?.book.stocks.get(CODE)

/** The second sale within ten minutes is one more than may be. */
async function stopItself(): Promise<void> {
  await scene.happens({ kind: 'limitsSet', own: { repeatCount: 1 }, pending: [], at: 0 })
  for (const price of [70_000, 69_900, 70_800, 69_000, 68_900, 71_000]) {
    await scene.price(price)
    await scene.tick(2)
  }
  expect(stock()).toMatchObject({ stop: 'reduce', lots: [] })
}

test('a rehearsal that its own limit stopped says why it does not buy, and goes on when its person says so', async () => {
  await stopItself()
  await scene.price(60_000)
  expect(texts()).toContain('매수가 멈춰 있습니다. 멈춤을 풀어야 살 수 있습니다.')
  scene.now += 10 * 60_000
  expect(await scene.shadows.resume(scene.userId, CODE)).toBe(true)
  await scene.price(60_000)
  expect(stock()).toMatchObject({ stop: 'active' })
  expect(scene.orders.at(-1)).toContain('buy 2 @ 60000')
  expect(await scene.shadows.resume(scene.userId, CODE)).toBe(false)
  expect((await verifyShadow(scene.database.db, scene.userId)).problems).toEqual([])
})

test('what the real account has stopped it does not let go', async () => {
  await stopItself()
  await scene.happens({ kind: 'userStopped', stop: 'halt', at: 1 })
  scene.now += 10 * 60_000
  expect(await scene.shadows.resume(scene.userId, CODE)).toBe(true)
  await scene.tick(2)
  expect([stock()?.stop, scene.account?.book.stop]).toEqual(['active', 'halt'])
  expect(await scene.shadows.resume(scene.userId, CODE)).toBe(false)
})

test('a person who lets the real stock go on lets its rehearsal go on, too', async () => {
  await stopItself()
  scene.now += 10 * 60_000
  await scene.happens({ kind: 'stockStopped', code: CODE, stop: 'active', at: scene.now })
  expect(stock()?.stop).toBe('active')
})

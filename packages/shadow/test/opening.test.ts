import { kstInstant } from '@digger/core'
import { beforeEach, expect, test } from 'vitest'
import { openScene, type Scene } from './scene.ts'
import { CODE } from './stage.ts'

let scene: Scene

beforeEach(async () => {
  scene = await openScene()
})

const SALE = { kind: 'sellAtMarket', code: CODE } as const
const sale = () => [...(scene.account?.book.orders.values() ?? [])].findLast(({ type }) => type !== 'limit')

/** With a lot of the day before. */
async function morning(at: number): Promise<void> {
  await scene.price(70_000)
  await scene.price(69_900)
  scene.now = kstInstant('20261117', at)
  await scene.tick(3)
}

test('a market sale before the opening fills at the price of the auction, not at the close of yesterday that is read before it', async () => {
  await morning(84_000)
  await expect(scene.take(SALE)).rejects.toThrow('주문 1건을 적었습니다')
  scene.now = kstInstant('20261117', 85_900)
  await scene.read(69_900)
  await scene.tick(2)
  expect(sale()).toMatchObject({ status: 'open', filledCount: 0 })
  scene.now = kstInstant('20261117', 90_000)
  await scene.price(68_000)
  await scene.price(67_000)
  expect(sale()).toMatchObject({ status: 'filled', filledCount: 2, filledAmount: 136_000 })
})

test('nor is it filled on arrival by what was traded yesterday', async () => {
  await morning(90_010)
  await expect(scene.take(SALE)).rejects.toThrow('주문 1건을 적었습니다')
  await scene.tick(2)
  expect(sale()).toMatchObject({ status: 'open', filledCount: 0 })
  await scene.price(68_000)
  expect(sale()).toMatchObject({ status: 'filled', filledAmount: 136_000 })
})

test('while a stock stands still nothing is filled', async () => {
  await morning(100_000)
  scene.halted = true
  await scene.price(68_000)
  await expect(scene.take(SALE)).rejects.toThrow('연습')
  await scene.price(68_000)
  expect(scene.account?.book.stocks.get(CODE)?.lots).toHaveLength(1)
  scene.halted = false
  await scene.price(75_000)
  await scene.price(75_000)
  expect(scene.account?.book.stocks.get(CODE)?.lots).toEqual([])
})

test('the trade that an order was made by does not fill it when it is read once more', async () => {
  scene.rule = 'touch'
  scene.shadows = scene.process()
  await scene.tick(3)
  await scene.price(70_000)
  await scene.read()
  expect(scene.orders).toEqual(['S1 buy 2 @ 70000 open'])
  await scene.price(70_000)
  expect(scene.orders[0]).toBe('S1 buy 2 @ 70000 filled')
})

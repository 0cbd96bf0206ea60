import { beforeEach, expect, test } from 'vitest'
import { ShadowOrders } from '../src/orders.ts'
import { openScene, type Scene } from './scene.ts'
import { DAY, shown } from './stage.ts'

let scene: Scene
let rows: number
let orders: ShadowOrders

beforeEach(async () => {
  scene = await openScene()
  rows = 0
  orders = new ShadowOrders(
    scene.database.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => ((rows += result.rows.length), result),
    }),
  )
})

const TODAY = { from: DAY, to: DAY, code: null }
const read = async (of = orders) => (await of.of(scene.userId, TODAY)).map(shown)

test('asked again, only rows that came since are read, and all is as if it were read whole', async () => {
  await scene.price(70_000)
  expect(await read()).toEqual(['S1 buy 2 @ 70000 open'])
  rows = 0
  await read()
  expect(rows).toBe(0)
  await scene.price(69_900)
  const both = await Promise.all([read(), read()])
  const whole = await read(new ShadowOrders(scene.database.db))
  expect(whole).toEqual(['S2 sell 2 @ 70700 open', 'S1 buy 2 @ 70000 filled'])
  expect(both).toEqual([whole, whole])
})

test('what a process that took the account over has written is there, too', async () => {
  await scene.price(70_000)
  await read()
  await scene.database.db.updateTable('account').set({ epoch: 7 }).execute()
  scene.own(7)
  scene.shadows = scene.process()
  await scene.tick(3)
  await scene.price(69_900)
  expect(await read()).toEqual(['S2 sell 2 @ 70700 open', 'S1 buy 2 @ 70000 filled'])
})

test('other days and other stocks are left out, and a buy that was taken back without a fill', async () => {
  await scene.price(70_000)
  await scene.tick(40)
  expect(scene.orders).toEqual(['S1 buy 2 @ 70000 cancelled'])
  expect(await read()).toEqual([])
  await scene.price(70_000)
  expect(await read()).toHaveLength(1)
  expect(await orders.of(scene.userId, { ...TODAY, code: '000660' })).toEqual([])
  expect(await orders.of(scene.userId, { ...TODAY, to: '20261115', from: '20261101' })).toEqual([])
})

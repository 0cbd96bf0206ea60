import { TestClock } from '@digger/database/testing'
import { expect, test } from 'vitest'
import { FakeSocket } from '../../test/fake-socket.ts'
import { AllPrices } from '../prices/all-prices.ts'
import { Prices } from '../prices/prices.ts'
import { AccountSocket, type AccountSocketParts } from './account-socket.ts'

const CODE = '005930'

/** Two accounts with the same stock, and what wakes whoever waits below 70,000 won. */
async function twoAccounts() {
  const clock = new TestClock()
  const prices = new AllPrices(() => new Prices({ priceChanged: () => undefined }, clock))
  let woken = 0
  prices.setTrigger({ wake: () => void (woken += 1) }, CODE, 70_000)
  const sockets = [new FakeSocket(), new FakeSocket()] as const
  for (const socket of sockets) {
    const parts = {
      userId: 'one',
      conditions: { clock, prices },
      mailbox: { book: { stocks: new Map([[CODE, {}]]) }, post: () => undefined },
      observers: { socketChanged: () => undefined },
      problem: () => undefined,
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a book only its codes are read
    new AccountSocket(parts as unknown as AccountSocketParts).attach(socket)
    socket.watch([CODE])
    await socket.connect()
  }
  const [own, other] = sockets
  own.tick(CODE, 71_000)
  return { own, other, woken: () => woken }
}

test('a trade that another account’s line brings triggers though one line was interrupted', async () => {
  const { own, other, woken } = await twoAccounts()
  own.turn('disconnected')
  other.tick(CODE, 69_000)
  expect(woken()).toBe(1)
  own.turn('connected')
  other.tick(CODE, 69_000)
  expect(woken()).toBe(2)
})

test('when all lines were interrupted the first trade only re-bases', async () => {
  const { own, other, woken } = await twoAccounts()
  own.turn('disconnected')
  other.turn('disconnected')
  other.turn('connected')
  other.tick(CODE, 69_000)
  expect(woken()).toBe(0)
  own.turn('connected')
  other.tick(CODE, 69_000)
  expect(woken()).toBe(1)
})

import { statusesBy } from '@digger/prices/testing'
import { TestClock } from '@digger/database/testing'
import { expect, test } from 'vitest'
import { emptyBook, evolve } from '@digger/core'
import { SETTINGS } from '@digger/storage/testing'
import { AllPrices, Prices, Timetables } from '@digger/prices'
import { FakeSocket } from '@digger/prices/testing'
import { AccountSocket } from './account-socket.ts'

const CODE = '005930'
const ISSUE = { code: CODE, kind: 'stock', market: 'KOSPI', nxt: true } as const

/** Two accounts with the same stock, and what wakes whoever waits below 70,000 won. */
async function twoAccounts() {
  const clock = new TestClock()
  const prices = new AllPrices(() => new Prices({ priceChanged: () => undefined }, clock), statusesBy(clock))
  let woken = 0
  prices.setTrigger({ wake: () => void (woken += 1) }, CODE, 70_000)
  const sockets = [new FakeSocket(), new FakeSocket()] as const
  const added = { kind: 'stockAdded', code: CODE, name: '삼성전자', issue: ISSUE, settings: SETTINGS, at: 0 } as const
  const book = evolve(emptyBook(''), added)
  for (const socket of sockets) {
    const account = new AccountSocket({
      userId: 'one',
      conditions: { clock, prices, timetables: new Timetables('always') },
      mailbox: { book, post: () => undefined },
      observers: { socketChanged: () => undefined },
      problem: () => undefined,
    })
    account.attach(socket)
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

import { emptyBook, type AccountEvent } from '@digger/core'
import { createKis } from '@digger/kis'
import { demoCredentials } from '@digger/kis-sim'
import { expect, test } from 'vitest'
import { KERNEL_LEASE } from '@digger/database'
import { fakeKis } from '../test/fakeKis.ts'
import { Link } from './link.ts'

const TODAY = '20261122'
/** Of a broker that is never called. */
const { socket } = createKis({
  env: 'real',
  restUrl: 'http://127.0.0.1:1',
  wsUrl: 'ws://127.0.0.1:1',
  credentials: demoCredentials(0),
  tokens: { load: async () => null, save: async () => undefined },
})

/** A link whose lists come when told, and what it asked and posted. */
class Bench {
  readonly posted: AccountEvent[] = []
  readonly lists: { readonly from: string; readonly answer: (fails?: boolean) => void }[] = []
  balances = 0
  readonly link: Link

  constructor() {
    const usual = fakeKis()
    const rest = fakeKis({
      executions: ({ from }) =>
        new Promise((resolve, reject) => {
          this.lists.push({
            from,
            answer: (fails = false) =>
              fails ? reject(new Error('no list')) : resolve(Object.assign([], { leftAt: 0 })),
          })
        }),
      balance: () => {
        this.balances += 1
        return usual.balance()
      },
    })
    this.link = new Link(
      { rest, socket },
      {
        now: () => 0,
        post: (event) => void this.posted.push(event),
        refuseNow: () => null,
        lease: KERNEL_LEASE,
        env: 'real',
        balanceRead: () => undefined,
      },
    )
  }

  read(from: string, compare = false): void {
    this.link.perform({ kind: 'read', from, to: TODAY, compare }, emptyBook(TODAY))
  }

  /** Answers the oldest list that was asked for and lets what follows happen. */
  async answer(fails = false): Promise<void> {
    this.lists.shift()?.answer(fails)
    await new Promise(setImmediate)
  }
}

test('readings asked for while one is under way become one, of all days and with the holdings if anybody wanted them', async () => {
  const bench = new Bench()
  bench.read('20261122')
  bench.read('20261122')
  bench.read('20261120', true)
  bench.read('20261121')
  expect(bench.lists.map(({ from }) => from)).toEqual(['20261122'])
  await bench.answer()
  expect(bench.posted).toMatchObject([{ kind: 'reading', reading: { balance: null } }])
  expect(bench.lists.map(({ from }) => from)).toEqual(['20261120'])
  await bench.answer()
  await bench.answer()
  expect([bench.balances, bench.lists.length]).toEqual([1, 0])
  expect(bench.posted).toHaveLength(2)
  expect(bench.posted[1]).toMatchObject({ reading: { from: '20261120', balance: { depositAmount: 2_000_000 } } })
})

test('a reading that fails lets the one that waits for it begin', async () => {
  const bench = new Bench()
  bench.read('20261122')
  bench.read('20261122')
  await bench.answer(true)
  expect(bench.posted).toMatchObject([{ kind: 'readingFailed' }])
  await bench.answer()
  expect(bench.posted).toMatchObject([{ kind: 'readingFailed' }, { kind: 'reading' }])
  bench.read('20261122')
  await bench.answer()
  expect(bench.posted).toHaveLength(3)
})

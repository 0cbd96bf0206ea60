import type { AccountEvent } from '@digger/core'
import { expect, test } from 'vitest'
import { realClock } from '@digger/database'
import { fakeKis } from '../../test/fake-kis.ts'
import { BrokerLists } from './broker-lists.ts'

const TODAY = '20261122'
/** Lists that come when the test says so, what was asked for them and what came of it. */
class Bench {
  readonly posted: AccountEvent[] = []
  readonly lists: { readonly from: string; readonly answer: (fails?: boolean) => void }[] = []
  balances = 0
  readonly reader: BrokerLists

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
    this.reader = new BrokerLists(rest, realClock)
  }

  read(from: string, compare = false): void {
    void this.reader
      .readInTurn({ from, to: TODAY, compare })
      .then((event) => void (event !== null && this.posted.push(event)))
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

import { expect, test } from 'vitest'
import { Bench, CODE, NOW } from '../../test/mailbox-bench.ts'

const lists = { askedAt: NOW, from: '20261116', to: '20261116', executions: [] }
const snapshot = { ...lists, balance: { holdings: [], depositAmount: 0 } }

/** An account whose price is below its next buy, and that has its broker. */
async function due(): Promise<Bench> {
  const bench = new Bench()
  bench.quote = { price: 69_300, at: NOW, live: true, halted: false, band: { lower: 49_000, upper: 91_000 } }
  bench.mailbox.post({ kind: 'authorised', authorised: true })
  await bench.mailbox.idle()
  return bench
}

const cashQuestions = (bench: Bench): number => bench.effects.filter(({ kind }) => kind === 'askCash').length

test('an account that is not armed does nothing for a price, and says at its timer what it waits for', async () => {
  const bench = await due()
  bench.mailbox.wake(CODE)
  expect(bench.mailbox.waiting).toBe(0)
  bench.mailbox.post({ kind: 'timer' })
  await bench.mailbox.idle()
  expect([...bench.mailbox.account.view.stocks.dueSince.keys()]).toEqual([`buy ${CODE}`])
  expect(cashQuestions(bench)).toBe(0)
})

test('an armed account decides by the price at once', async () => {
  const bench = await due()
  bench.mailbox.post({ kind: 'snapshot', snapshot })
  await bench.mailbox.idle()
  bench.mailbox.wake(CODE)
  await bench.mailbox.idle()
  expect(cashQuestions(bench)).toBe(1)
})

test('a price that comes while the account is being armed is looked at after it', async () => {
  const bench = await due()
  bench.mailbox.post({ kind: 'snapshot', snapshot })
  bench.mailbox.wake(CODE)
  expect(bench.mailbox.account.view.connection.armed).toBe(false)
  await bench.mailbox.idle()
  expect([bench.mailbox.account.view.connection.armed, cashQuestions(bench)]).toEqual([true, 1])
})

import { OutcomeUnknown } from '@digger/contract'
import { FencedError } from '@digger/storage'
import { expect, test } from 'vitest'
import { Bench, buying, CODE, NOW } from '../../test/mailbox-bench.ts'

const unsubscribe = { kind: 'setSubscribed', code: CODE, subscribed: false } as const
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('an account that another process has taken ends: it is not read again, and goes on with nothing', async () => {
  const bench = await buying()
  bench.failing = Number.POSITIVE_INFINITY
  bench.why = new FencedError()
  const answers = [1, 2].map(() => bench.mailbox.ask(unsubscribe).catch((error: unknown) => error))
  const [first, second] = await Promise.all(answers)
  expect([first, second]).toEqual([expect.any(OutcomeUnknown), expect.any(OutcomeUnknown)])
  expect([bench.mailbox.ended, bench.fenced, bench.reloads.length, bench.mailbox.waiting]).toEqual([true, 1, 0, 0])

  const [effects, written] = [bench.effects.length, bench.written.length]
  bench.failing = 0
  const later = bench.mailbox.ask(unsubscribe).catch((error: unknown) => error)
  bench.mailbox.post({ kind: 'timer' })
  bench.mailbox.wake(CODE)
  bench.mailbox.attach()
  await turn()
  expect([await later, bench.mailbox.waiting]).toEqual([expect.any(OutcomeUnknown), 0])
  expect([bench.effects.length, bench.written.length, bench.fenced]).toEqual([effects, written, 1])
})

test('an order whose account goes on elsewhere does not leave, wherever it waits', async () => {
  const bench = await buying()
  expect(bench.refusal()).toBeNull()
  bench.mailbox.end()
  expect(bench.refusal()).toMatch(/다른 서버가 맡/)
})

test('what was decided when the account went is written, or not, but nothing of it is done here', async () => {
  const bench = new Bench()
  bench.quote = { price: 69_300, at: NOW, live: true, halted: false, band: { lower: 49_000, upper: 91_000 } }
  bench.mailbox.post({ kind: 'authorised', authorised: true })
  const lists = { askedAt: NOW, from: '20261116', to: '20261116', executions: [] }
  bench.mailbox.post({ kind: 'snapshot', snapshot: { ...lists, balance: { holdings: [], depositAmount: 0 } } })
  await bench.mailbox.idle()
  bench.mailbox.post({ kind: 'cash', amount: 100_000_000, askedAt: NOW })
  bench.mailbox.end()
  await bench.mailbox.idle()
  expect([bench.written.at(-1)?.orders.map(({ status }) => status), bench.sends]).toEqual([['intended'], 0])
})

test('an account that cannot be read again because another process has it ends, too', async () => {
  const bench = await buying()
  bench.failing = 1
  const refused = bench.mailbox.ask(unsubscribe).catch((error: unknown) => error)
  await refused
  bench.unreadable = 1
  bench.unreadableWhy = new FencedError()
  bench.mailbox.post({ kind: 'timer' })
  await bench.mailbox.idle()
  expect([bench.mailbox.ended, bench.fenced, bench.reloads.length]).toEqual([true, 1, 1])
})

test('one that had ended before it learns so ends no other: by then the account may be here again', async () => {
  const bench = await buying()
  bench.failing = Number.POSITIVE_INFINITY
  bench.why = new FencedError()
  const asked = bench.mailbox.ask(unsubscribe).catch((error: unknown) => error)
  bench.mailbox.end()
  await Promise.all([asked, bench.mailbox.idle()])
  expect([bench.mailbox.ended, bench.fenced]).toEqual([true, 0])
})

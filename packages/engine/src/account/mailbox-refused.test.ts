import { expect, test, vi } from 'vitest'
import { Bench, buying, NOW } from '../../test/mailbox-bench.ts'

/** Pauses between two tries of a commit grow to five seconds: how long they are is tested beside, here a twentieth will do. */
vi.mock(import('node:timers/promises'), async (original) => {
  const real = await original()
  return { ...real, setTimeout: (ms, value, options) => real.setTimeout((ms ?? 0) / 20, value, options) }
})

test.each(Array.from({ length: 10 }, (_, n) => [n + 1, n % 3] as const))(
  'after %d refused commits and %d failed readings the account may trade again, and no event of the meantime is lost',
  async (failing, unreadable) => {
    const bench = await buying()
    Object.assign(bench, { failing, unreadable })
    bench.mailbox.post({ kind: 'accepted', orderId: 1, odno: '0000000001', orgno: '06010' })
    for (let n = 0; n < 12; n += 1) bench.mailbox.post({ kind: 'timer' })
    await bench.mailbox.idle()
    const { account } = bench.mailbox
    expect([account.view.connection.authorised, bench.order(1).status, bench.order(1).odno]).toEqual([
      true,
      'open',
      '0000000001',
    ])
    const compare = bench.effects.findLast((effect) => effect.kind === 'readLists')
    expect(compare).toMatchObject({ compare: true })
    const snapshot = { askedAt: bench.now, from: '20261116', to: '20261116', executions: [] }
    bench.mailbox.post({ kind: 'snapshot', snapshot: { ...snapshot, balance: { holdings: [], depositAmount: 0 } } })
    await bench.mailbox.idle()
    expect(bench.mailbox.account.view.connection.armed).toBe(true)
    expect([bench.mailbox.failingMs, bench.mailbox.stuckMs]).toEqual([0, 0])
  },
)

test('an inherited order is waited for as long as the owner’s before can come, though the first commits are refused', async () => {
  const order = (await buying()).order(1)
  const bench = new Bench([{ kind: 'orderIntended', order, at: NOW }])
  bench.failing = 3
  for (let n = 0; n < 4; n += 1) bench.mailbox.post({ kind: 'authorised', authorised: true })
  await bench.mailbox.idle()
  expect(bench.reloads).toHaveLength(3)
  expect(bench.order(1)).toMatchObject({ status: 'unknown', absentFrom: NOW + 120_000 })
})

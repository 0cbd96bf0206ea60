import { OutcomeUnknown } from '@digger/contract'
import { expect, test } from 'vitest'
import { FakeEffects, accepted, CODE, MailboxFixture, NOW, snapshot, turn } from '../../test/mailbox-fixture.ts'
import { SETTINGS } from '@digger/storage/testing'

test('the broker’s answer about an order counts also after the broker was detached', async () => {
  const { mailbox, effects, ...fixture } = await new MailboxFixture().buying()
  mailbox.attach()
  mailbox.post({ kind: 'authorised', authorised: false })
  await mailbox.idle()
  expect(mailbox.active).toBe(true)
  await effects.end('send', accepted)
  await mailbox.idle()
  expect(mailbox.book.orders.get(1)).toMatchObject({ status: 'open', odno: accepted.odno })
  expect(fixture.problems).toEqual([])
})

test('from then on nothing is asked of the old broker, and the account learns that nothing left', async () => {
  const { mailbox, effects } = await new MailboxFixture().buying()
  for (const { end } of effects.of('read')) end(null)
  await effects.end('send', accepted)
  await mailbox.idle()
  mailbox.attach()
  const before = effects.runs.length
  mailbox.post({ kind: 'linked' })
  await mailbox.ask({ kind: 'cancelOrders', code: CODE })
  mailbox.post({ kind: 'timer' })
  await turn()
  await mailbox.idle()
  expect(effects.runs).toHaveLength(before)
  // The cancel did not leave: the order still rests, and is to be cancelled.
  expect(mailbox.book.orders.get(1)).toMatchObject({ status: 'open', cancelWanted: true })
})

test('a broker attached anew gets what follows; answers of the old one still count, and nothing is sent twice', async () => {
  const { mailbox, effects } = await new MailboxFixture().buying()
  mailbox.attach()
  mailbox.post({ kind: 'authorised', authorised: false })
  const next = new FakeEffects()
  mailbox.attach(next)
  mailbox.post({ kind: 'authorised', authorised: true })
  mailbox.post(snapshot(0))
  mailbox.post({ kind: 'timer' })
  await mailbox.idle()
  expect(next.of('send')).toEqual([])
  await effects.end('send', accepted)
  for (const event of [snapshot(0), { kind: 'timer' } as const, { kind: 'price', code: CODE } as const])
    mailbox.post(event)
  await mailbox.idle()
  expect([effects.of('send').length, next.of('send').length]).toEqual([1, 0])
  expect(mailbox.book.orders.get(1)?.status).toBe('open')
})

test('an effect is under way until its event is taken, also one that ends together with another', async () => {
  const { mailbox, effects } = await new MailboxFixture().buying()
  await effects.end('send', accepted)
  await mailbox.idle()
  expect(mailbox.active).toBe(true)
  const before = mailbox.book
  const cash = { kind: 'cash', amount: 100_000_000, askedAt: NOW } as const
  for (const { kind, end } of effects.runs) end(kind === 'askCash' ? cash : null)
  await turn()
  await mailbox.idle()
  expect([mailbox.active, mailbox.book === before]).toEqual([false, true])
})

test('a balance is published once the book holds the lots of the same moment, and only a complete one', async () => {
  const fixture = await new MailboxFixture().buying()
  const { mailbox, effects } = fixture
  await effects.end('send', accepted)
  await mailbox.idle()
  mailbox.post({ kind: 'notice', odno: accepted.odno, filledCount: 2 })
  await mailbox.idle()
  await effects.end('read', snapshot(2, 1_861_400))
  // A commit lies between: at the moment the reading came, no lot was in the book.
  expect(fixture.deposits).toEqual([])
  await mailbox.idle()
  await turn()
  expect(fixture.deposits).toEqual([[1_861_400, 1]])
  const whole = snapshot(2, 1_800_000)
  // Without the holdings; and with those of another moment than the lots: something was filled while they were read.
  for (const event of [snapshot(2, null), { ...whole, snapshot: { ...whole.snapshot, moved: [CODE] } }]) {
    await fixture.readAgain(event)
    expect(fixture.deposits).toHaveLength(1)
  }
  await fixture.readAgain(whole)
  expect(fixture.deposits).toEqual([
    [1_861_400, 1],
    [1_800_000, 1],
  ])
})

test('what was written although its answer was lost is published when the account has been read again', async () => {
  const fixture = new MailboxFixture()
  const { mailbox, changes } = fixture
  await mailbox.idle()
  fixture.lostAnswers = 1
  const settings = { ...SETTINGS, lastBuyPrice: 60_000 }
  const save = { kind: 'updateStock', code: CODE, version: null, settings, listing: null } as const
  await expect(mailbox.ask(save)).rejects.toMatchObject({ code: 'INTERNAL' })
  mailbox.post({ kind: 'timer' })
  await mailbox.idle()
  expect(mailbox.book.stocks.get(CODE)?.settings.lastBuyPrice).toBe(60_000)
  expect(changes.at(0)).toMatchObject({ userId: 'user', facts: [{ kind: 'settingsSaved' }] })
  expect(changes.at(-1)?.after).toBe(mailbox.book)
})

test('an acceptance whose commit lost its answer is published once, and the order is not sent again', async () => {
  const fixture = await new MailboxFixture().buying()
  const { mailbox, effects, changes } = fixture
  changes.length = 0
  fixture.lostAnswers = 1
  await effects.end('send', accepted)
  await mailbox.idle()
  const published = changes.flatMap(({ facts }) => facts).filter(({ kind }) => kind === 'orderAccepted')
  expect([published.length, fixture.order?.status, effects.of('send').length]).toEqual([1, 'open', 1])
  expect(fixture.journal.filter(({ kind }) => kind === 'orderAccepted')).toHaveLength(1)
})

test('a sale that waits ends when the account is read again, and its person is asked to look at the orders', async () => {
  const one = await new MailboxFixture().buying()
  one.mailbox.post(accepted)
  one.mailbox.post(snapshot(2, null))
  await one.mailbox.idle()
  // The automatic sale is on its way, so the one at the market waits for it.
  const sale = one.mailbox.ask({ kind: 'sellAtMarket', code: CODE })
  await one.mailbox.idle()
  one.lostAnswers = 1
  const stop = one.mailbox.ask({ kind: 'setStop', level: 'user', code: null, stop: 'halt' })
  await expect(stop).rejects.toThrow(/저장되었는지 확인하지 못했습니다/)
  await expect(Promise.race([sale, turn()])).rejects.toMatchObject({
    code: 'BUSY',
    message: expect.stringContaining('주문 목록을 확인'),
  })
})

test('a stop that may be saved holds on until the account is read again, which knows it', async () => {
  const one = await new MailboxFixture().buying()
  one.lostAnswers = 1
  const stop = one.mailbox.ask({ kind: 'setStop', level: 'user', code: null, stop: 'halt' })
  await expect(stop).rejects.toBeInstanceOf(OutcomeUnknown)
  expect([one.mailbox.book.stop, one.mailbox.pendingStop(CODE)]).toEqual(['active', 'halt'])
  one.mailbox.post({ kind: 'timer' })
  await one.mailbox.idle()
  expect([one.mailbox.book.stop, one.mailbox.pendingStop(CODE)]).toEqual(['halt', 'active'])
})

test('a cancel that was saved without a word is not called unsaved, and is done', async () => {
  const one = await new MailboxFixture().buying()
  await one.effects.end('send', accepted)
  await one.mailbox.idle()
  one.lostAnswers = 1
  await expect(one.mailbox.ask({ kind: 'cancelOrders', code: CODE })).rejects.toThrow(/저장되었는지 확인하지 못했/)
  one.mailbox.post({ kind: 'timer' })
  await one.mailbox.idle()
  expect([one.order?.status, one.effects.of('cancel').length]).toEqual(['cancelling', 1])
})

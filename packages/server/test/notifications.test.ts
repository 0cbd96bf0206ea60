import { kstInstant } from '@digger/core'
import { CODE } from '@digger/engine/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Notified } from './notified.ts'

/**
 * Each kind in a whole market: provoked at the broker or by its person, and told over a real HTTP address within its bound. What healed
 * within its patience is told to nobody.
 */
let one: Notified

afterEach(() => one.close())

const open = async (start?: number): Promise<Notified> => {
  one = await Notified.open(start === undefined ? {} : { start })
  await one.market.watch({ maxBuyPrice: 157_000 })
  return one
}

describe('while the exchange trades', () => {
  test('a buy and its sale with the net gain, each within a quarter of a minute', async () => {
    const { market } = await open()
    await market.price(156_900)
    await one.pass(15_000)
    expect(one.texts).toEqual(['삼성전자 2주를 샀습니다\n주당 156,900원, 모두 313,800원'])
    await market.price(158_500)
    await one.pass(15_000)
    expect(one.texts).toHaveLength(2)
    const [trade] = await market.database.db.selectFrom('trade').selectAll().where('closed', '=', true).execute()
    const net = (trade?.sell_amount ?? 0) - (trade?.buy_amount ?? 0) - (trade?.fee ?? 0) - (trade?.tax ?? 0)
    expect(one.texts[1]).toMatch(/^삼성전자 2주를 팔았습니다\n/)
    expect(one.texts[1]).toContain(`순이익 +${net.toLocaleString('en-US')}원`)
    expect(one.problems).toEqual([])
  }, 60_000)

  test('a stock that the broker refuses, and once that it goes on', async () => {
    const { market } = await open()
    market.sim.faults.add({
      kind: 'refuse',
      endpoint: 'orderBuy',
      code: 'APBK0919',
      text: '주문이 잘못되었습니다.',
      times: 3,
    })
    for (let price = 156_900; price > 156_500 && market.stock?.blocked == null; price -= 100) {
      await market.price(price)
      await market.wait(10_000)
    }
    await one.pass(10_000)
    expect(await one.kinds()).toEqual(['stockStopped'])
    await market.ask({ kind: 'setStop', level: 'stock', code: CODE, stop: 'active' })
    await market.price(158_000)
    await one.pass(90_000)
    expect(one.texts.map((text) => text.split('\n').at(-1))).toEqual([
      expect.stringMatching(/^삼성전자: .*거절/),
      '삼성전자: Digger가 멈췄던 것이 풀렸습니다.',
    ])
  }, 60_000)

  test('a limit that was reached', async () => {
    const { market } = await open()
    await market.ask({ kind: 'setLimits', change: { positionAmount: 300_000 } })
    await market.price(156_900)
    await one.pass(10_000)
    expect(await one.kinds()).toEqual(['limitReached'])
  }, 60_000)

  test('an order whose outcome nobody knows for a minute, and once that it is found; nothing where it is found before', async () => {
    const { market } = await open()
    market.sim.faults.add({ kind: 'loseReply', endpoint: 'orderBuy', times: 1 })
    await market.price(156_900)
    await one.pass(90_000)
    expect(await one.kinds()).toEqual(['bought'])
    one.isReal = true
    const lists = market.sim.faults.add({
      kind: 'refuse',
      code: 'OPSQ0013',
      text: '점검 중입니다.',
      endpoint: 'executions',
    })
    market.sim.faults.add({ kind: 'loseReply', endpoint: 'orderBuy', times: 1 })
    await market.price(155_300)
    await one.passAlone(50_000)
    expect(await one.kinds()).toEqual(['bought'])
    await one.passAlone(25_000)
    expect((await one.kinds()).slice(1)).toEqual(['orderUnknown'])
    expect(one.texts.at(-1)).toContain('삼성전자 매수 2주 주문의 결과를 알 수 없습니다.')
    market.sim.faults.clear(lists)
    await one.pass(120_000)
    expect((await one.kinds()).filter((kind) => kind === 'orderUnknown')).toHaveLength(2)
    expect(one.texts.join('\n')).toMatch(/결과를 모르던 주문 \d+번이 확인되었습니다/)
  }, 120_000)

  test('shares that the broker has and the book lacks', async () => {
    const { market } = await open()
    market.sim.setHolding(market.account, CODE, 10, 156_900)
    await one.pass(15 * 60_000)
    expect(await one.kinds()).toEqual(['mismatch'])
  }, 120_000)

  test('a key that is not open', async () => {
    const { market } = await open()
    await market.engine.lock(market.userId)
    await one.passAlone(55_000)
    expect(await one.kinds()).toEqual([])
    await one.passAlone(15_000)
    expect(await one.kinds()).toEqual(['keyAbsent'])
    await one.restart()
    await one.pass(90_000)
    expect(one.texts).toEqual([expect.stringContaining('로그인해 주세요'), '키가 열렸습니다.'])
  }, 120_000)

  test('a book that cannot be compared, five minutes after the key', async () => {
    const { market } = await open()
    market.sim.faults.add({ kind: 'refuse', code: 'OPSQ0013', text: '점검 중입니다.', endpoint: 'executions' })
    one.isReal = true
    await one.restart()
    await one.passAlone(4 * 60_000 + 30_000)
    expect(await one.kinds()).not.toContain('notArmed')
    await one.passAlone(45_000)
    expect(await one.kinds()).toContain('notArmed')
  }, 120_000)

  test('a buy that is due and cannot leave, and once that it is no longer held up', async () => {
    const { market } = await open()
    one.isReal = true
    const silent = market.sim.faults.add({
      kind: 'refuse',
      code: 'OPSQ0013',
      text: '점검 중입니다.',
      endpoint: 'buyable',
    })
    // What for there is money may have been answered before: no buy relies on that for longer.
    await one.passAlone(15_000)
    const tradeOn = async (seconds: number): Promise<void> => {
      for (let passed = 0; passed < seconds; passed += 5) {
        market.sim.setPrice(CODE, 156_900)
        await one.passAlone(5_000)
      }
    }
    // The price and the refusal come in real time: patience is counted from when the account finds its buy held up.
    const heldUpMs = (): number | undefined => [...market.engine.health.attention()][0]?.found[0]?.forMs
    await vi.waitFor(
      async () => {
        await tradeOn(5)
        expect(heldUpMs()).toBeDefined()
      },
      { timeout: 30_000, interval: 1 },
    )
    while ((heldUpMs() ?? 0) < 25_000) await tradeOn(5)
    expect(heldUpMs()).toBeLessThan(30_000)
    expect(await one.kinds()).toEqual([])
    await tradeOn(10)
    expect(await one.kinds()).toEqual(['orderLate'])
    expect(one.texts.at(-1)).toContain('삼성전자: 나가야 할 매수 주문이 나가지 못하고 있습니다.')
    market.sim.faults.clear(silent)
    // A question on its way is tried again in real time, which this market's runs ahead of.
    await vi.waitFor(
      async () => {
        await tradeOn(5)
        expect(await one.kinds()).toContain('bought')
      },
      { timeout: 30_000, interval: 1 },
    )
    await tradeOn(75)
    expect(one.texts).toContainEqual(expect.stringContaining('늦던 주문이 더는 밀려 있지 않습니다.'))
  }, 120_000)

  test('a line that does not come back for two minutes; one that comes back before is told to nobody', async () => {
    const { market } = await open()
    market.sim.sockets('cut')
    const isConnected = (): boolean => market.engine.socket(market.userId).connected
    await vi.waitFor(() => expect(isConnected()).toBe(false), { timeout: 20_000, interval: 1 })
    await vi.waitFor(() => expect(isConnected()).toBe(true), { timeout: 20_000 })
    await one.pass(150_000)
    expect(await one.kinds()).toEqual([])
    market.sim.faults.add({
      kind: 'refuse',
      code: 'EGW00103',
      text: '유효하지 않은 AppKey입니다.',
      endpoint: 'approval',
    })
    market.sim.sockets('cut')
    await one.passAlone(100_000)
    expect(await one.kinds()).toEqual([])
    await one.passAlone(40_000)
    expect(await one.kinds()).toEqual(['socketDown'])
  }, 120_000)

  test('another Digger on the same account', async () => {
    const { market } = await open()
    await market.price(156_900)
    await market.wait(3_000)
    const sale = market.orders.find(({ side, status }) => side === 'sell' && status === 'open')
    if (sale === undefined) throw new Error('nothing rests')
    const { sim, account } = market
    const { count, price } = sale
    const made = { trigger: 0, original: null, change: null, division: '00', venue: 'KRX', routed: 'KRX' } as const
    sim.setHolding(account, CODE, 10, 156_900)
    sim.broker.ledger.accept(sim.clock.now(), {
      ...made,
      account,
      code: CODE,
      side: 'sell',
      count,
      price,
      reservedPrice: price,
    })
    await one.pass(30_000)
    expect(await one.kinds()).toContain('otherServer')
    await market.engine.ask(market.userId, { kind: 'dismissOtherServer' })
    await one.pass(70_000)
    expect(one.texts.join('\n')).toContain('다른 Digger가 있는지 묻던 것이 정리되었습니다.')
  }, 120_000)

  test('an administrator: what is wrong with the server after a minute, and its stop at once', async () => {
    const { market } = await open()
    await market.database.db.updateTable('users').set({ digger_admin: true }).execute()
    market.sim.faults.add({ kind: 'refuse', code: 'OPSQ0013', text: '점검 중입니다.', endpoint: 'executions' })
    one.isReal = true
    await one.restart()
    await one.passAlone(130_000)
    expect(await one.kinds()).toContain('serverTrouble')
    expect(one.texts.join('\n')).toContain('증권사의 목록을 어느 계좌도 읽지 못해')
    await market.database.pool.query(
      `insert into server_setting (name, value, why) values ('serverStop', 'halt', '감시 프로그램이 멈췄습니다.')
       on conflict (name) do update set value = excluded.value, why = excluded.why`,
    )
    await market.engine.lookAround()
    await one.passAlone(10_000)
    expect(one.texts).toContainEqual(expect.stringContaining('감시 프로그램이 멈췄습니다.'))
  }, 120_000)

  test('everything stopped from outside, with how to go on', async () => {
    const { market } = await open()
    await one.setups.stopPressed(market.userId, '모두 멈췄습니다.', 1)
    await one.pass(5_000)
    expect(one.texts).toEqual([expect.stringContaining('다시 시작하려면 로그인해 주세요.')])
  }, 60_000)
})

describe('by the hours of the exchange', () => {
  test('the key is missed ten minutes before the first session, and the day is summed up half an hour after the last', async () => {
    const { market } = await open(kstInstant('20260105', '080000'))
    await market.engine.lock(market.userId)
    await one.passAlone(49 * 60_000)
    expect(await one.kinds()).toEqual([])
    await one.passAlone(2 * 60_000 + 10_000)
    expect(await one.kinds()).toEqual(['keyAbsent'])
    await one.restart()
    await one.pass(10 * 60_000)
    // The first price after a start only re-bases.
    await market.price(157_500)
    await market.price(156_900)
    await one.pass(60_000)
    expect(await one.kinds()).toEqual(['keyAbsent', 'keyAbsent', 'bought'])
    await market.advance(kstInstant('20260105', '155930') - market.sim.clock.now())
    await one.pass(20_000)
    expect(await one.kinds()).not.toContain('daySummary')
    await one.pass(60_000)
    const summary = one.texts.at(-1)
    expect(summary).toContain('1월 5일 정리: 매수 1건, 매도 0건, 남은 매수 1건')
    expect(summary).toContain('산 금액 313,800원')
    await one.pass(10 * 60_000)
    expect((await one.kinds()).filter((kind) => kind === 'daySummary')).toHaveLength(1)
  }, 240_000)
})

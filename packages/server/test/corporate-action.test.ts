import { type Adjustment, Refused } from '@digger/contract'
import type { BaseMove } from '@digger/core'
import { fakeKis } from '@digger/engine/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import type { Person, ServerFixture } from './server-fixture.ts'

let fixture: ServerFixture
let owner: Person

beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
  fixture.giveStock(owner.userId)
})
afterEach(() => fixture[Symbol.asyncDispose]())

const STOCK = '/api/user/stock/005930'
const get = (url: string, cookie = owner.cookie) => fixture.call('GET', url, { cookie })
const preview = async () => (await get(`${STOCK}/adjust`)).json<Adjustment>()
const settle = (how: unknown, { url = STOCK, cookie = owner.cookie, day = '20261123' } = {}) =>
  fixture.call('POST', `${url}/adjust`, { cookie, payload: { day, how, ...(how === 'adjust' ? { held: 4 } : {}) } })
const lastLine = async () => (await get('/api/user/audit')).json<{ detail: string }[]>()[0]

const freeze = (move: BaseMove) =>
  fixture.accounts.happen(owner.userId, { at: fixture.clock.now(), kind: 'stockFrozen', code: '005930', move })
/** Shares of the stock that the broker shows. */
function hold(count: number): void {
  const broker = fakeKis()
  const balance = async () => {
    const known = await broker.balance()
    return { ...known, holdings: known.holdings.map((holding) => ({ ...holding, count })) }
  }
  fixture.accounts.kisOf = () => fakeKis({ balance })
  // The log-in read it just now, and a reading serves for some seconds.
  fixture.clock.advance(6_000)
}
const counts = ({ lots }: Adjustment) => lots.map(({ id, count, buyPrice }) => [id, count.after, buyPrice.after])

async function takeKey(): Promise<void> {
  await fixture.vault.remove(owner.userId)
  await fixture.accounts.lock(owner.userId)
}

describe('the preview of an adjustment', () => {
  beforeEach(() => fixture.freezeStock(owner.userId))

  test('once the broker shows the new shares: the lots share them and cost what they cost', async () => {
    hold(8)
    expect(await preview()).toEqual({
      move: { day: '20261123', close: 70_000, base: 35_000 },
      version: 1,
      maxBuyPrice: { before: 75_000, after: 37_500 },
      lastBuyPrice: { before: 70_000, after: 35_000 },
      minSellPrice: { before: null, after: null },
      lots: [
        {
          id: 1,
          buyDateTime: expect.stringContaining('+09:00'),
          count: { before: 2, after: 4 },
          buyPrice: { before: 70_000, after: 35_000 },
        },
        {
          id: 2,
          buyDateTime: expect.stringContaining('+09:00'),
          count: { before: 2, after: 4 },
          buyPrice: { before: 69_300, after: 34_650 },
        },
      ],
      held: 8,
      kept: { before: 0, after: 0 },
      expected: null,
      announced: null,
    })
  })

  test('while it shows the old ones: the rest of the cost waits for the shares to come', async () => {
    hold(4)
    const shown = await preview()
    expect(counts(shown)).toEqual([
      [1, 2, 35_000],
      [2, 2, 34_650],
    ])
    expect(shown).toMatchObject({ held: 4, expected: { count: 4, amount: 139_300 } })
  })

  test('takes the shares that the person keeps with the others', async () => {
    fixture.accounts.happen(owner.userId, { at: 1, kind: 'sharesKept', code: '005930', count: 100 })
    hold(208)
    const shown = await preview()
    expect([shown.held, shown.kept, counts(shown)]).toEqual([
      208,
      { before: 100, after: 200 },
      [
        [1, 4, 35_000],
        [2, 4, 34_650],
      ],
    ])
  })

  test('says what was announced for the day of the move, also on later days', async () => {
    const action = { kind: 'bonusIssue', day: '20261123', ratio: 2, paid: 0, creditDay: null } as const
    fixture.accounts.announcedOf.set('005930', action)
    expect(await preview()).toMatchObject({ announced: action })
    fixture.accounts.announcedOf.set('005930', { ...action, day: '20261130' })
    expect(await preview()).toMatchObject({ announced: null })
  })

  test('after a merger a lot may be left without a share: it was paid out', async () => {
    freeze({ day: '20261123', close: 70_000, base: 280_000 })
    hold(1)
    expect(counts(await preview())).toEqual([
      [1, 1, 140_000],
      [2, 0, null],
    ])
  })

  test('changes nothing and leaves no line', async () => {
    hold(8)
    await preview()
    expect(fixture.accounts.commands).toEqual([])
    expect((await get(STOCK)).json()).toMatchObject({ remainCount: 4, maxBuyPrice: 75_000 })
    expect((await lastLine())?.detail ?? '').not.toContain('005930')
  })

  test('needs the key: without the broker’s holding nobody can say what comes of it', async () => {
    await takeKey()
    expect(problemIn(await get(`${STOCK}/adjust`))).toBe('NEED_USERKEY')
  })
})

test('a stock whose base price did not move has nothing to preview', async () => {
  expect((await get(STOCK)).json()).toMatchObject({ frozen: null, expected: null })
  const reply = await get(`${STOCK}/adjust`)
  expect([problemIn(reply), reply.json<{ message: string }>().message]).toEqual([
    'CONFLICT',
    '조정할 것이 없습니다. 화면을 새로 고쳐 주세요.',
  ])
})

describe('a frozen stock', () => {
  beforeEach(() => fixture.freezeStock(owner.userId))

  test('says so in lists, with the prices it is about', async () => {
    const frozen = { day: '20261123', close: 70_000, base: 35_000 }
    expect((await get(STOCK)).json()).toMatchObject({ frozen })
    expect((await get('/api/user/balance')).json()).toMatchObject({ list: [{ frozen }] })
  })

  test('stays as it is when its person says so, also without the key', async () => {
    await takeKey()
    expect((await settle('keep')).json()).toMatchObject({ frozen: null, maxBuyPrice: 75_000 })
    expect(fixture.accounts.commands.at(-1)?.command).toEqual({ kind: 'keepStock', code: '005930', day: '20261123' })
    expect((await lastLine())?.detail).toBe('005930 · 20261123 그대로 두기 (기준가 70000→35000)')
  })

  test('is adjusted by the account itself; the log says to what', async () => {
    expect((await settle('adjust')).json()).toMatchObject({ code: '005930' })
    expect(fixture.accounts.commands.at(-1)?.command).toEqual({
      kind: 'adjustStock',
      code: '005930',
      day: '20261123',
      held: 4,
    })
    expect((await lastLine())?.detail).toBe('005930 · 20261123 조정 (기준가 70000→35000)')
  })

  test('hands on what its person saw, so that another base or newer settings are refused', async () => {
    const body = { day: '20261123', how: 'adjust', base: 35_000, held: 4, version: 1 }
    await fixture.call('POST', `${STOCK}/adjust`, { cookie: owner.cookie, payload: body })
    expect(fixture.accounts.commands.at(-1)?.command).toMatchObject({ base: 35_000, held: 4, version: 1 })
    await fixture.call('POST', `${STOCK}/adjust`, {
      cookie: owner.cookie,
      payload: { day: '20261123', how: 'keep', base: 35_000 },
    })
    expect(fixture.accounts.commands.at(-1)?.command).toMatchObject({ kind: 'keepStock', base: 35_000 })
  })

  test('is not adjusted by numbers that nobody saw', async () => {
    const reply = await fixture.call('POST', `${STOCK}/adjust`, {
      cookie: owner.cookie,
      payload: { day: '20261123', how: 'adjust' },
    })
    expect(problemIn(reply)).toBe('INVALID')
    expect(fixture.accounts.commands).toEqual([])
  })

  test('is not adjusted without the key: the holding would be a guess', async () => {
    await takeKey()
    expect(problemIn(await settle('adjust'))).toBe('NEED_USERKEY')
    expect(fixture.accounts.commands).toEqual([])
  })

  test('whose orders are still out is refused in words, which the log has too', async () => {
    fixture.accounts.answer = new Refused('CONFLICT', '미체결 주문이 남아 있습니다. 취소된 뒤 다시 해 주세요.')
    expect(problemIn(await settle('adjust'))).toBe('CONFLICT')
    expect((await lastLine())?.detail).toContain('거절: 미체결 주문이 남아 있습니다.')
  })

  test.each([['later'], [null], ['']])('is not settled by %j', async (how) =>
    expect(problemIn(await settle(how))).toBe('INVALID'),
  )

  test('of somebody else is an administrator’s business only', async () => {
    const mate = await fixture.addPerson('mate')
    const boss = await fixture.addPerson('boss', true)
    const url = `/api/${owner.userId}/stock/005930`
    expect(problemIn(await get(`${url}/adjust`, mate.cookie))).toBe('FORBIDDEN')
    expect(problemIn(await settle('keep', { url, cookie: mate.cookie }))).toBe('FORBIDDEN')
    expect(fixture.accounts.commands).toEqual([])
    expect((await settle('keep', { url, cookie: boss.cookie })).json()).toMatchObject({ frozen: null })
  })
})

describe('new shares that never come', () => {
  const seen = { count: 4, amount: 139_300, trades: 2, cost: 278_600 }
  const giveUp = (body: object = seen, { url = STOCK, cookie = owner.cookie } = {}) =>
    fixture.call('POST', `${url}/give-up`, { cookie, payload: body })
  const wait = (settledOn: string) => {
    const at = fixture.clock.now()
    const expected = { count: seen.count, amount: seen.amount }
    fixture.accounts.happen(owner.userId, { at, kind: 'sharesExpected', code: '005930', expected })
    fixture.accounts.happen(owner.userId, { at, kind: 'stockThawed', code: '005930', settledOn })
  }
  beforeEach(() => wait('20991231'))

  test('are shown with the trades that paid for them; what was bought since paid nothing', async () => {
    expect((await get(STOCK)).json()).toMatchObject({ expected: seen })
    wait('19700101')
    expect((await get(STOCK)).json()).toMatchObject({ expected: { ...seen, trades: 0, cost: 0 } })
  })

  test('are given up as they were seen; the log says where the money goes', async () => {
    expect((await giveUp()).json()).toMatchObject({ code: '005930', expected: null })
    expect(fixture.accounts.commands.at(-1)?.command).toEqual({
      kind: 'giveUpExpected',
      code: '005930',
      seen: { count: 4, amount: 139_300 },
      lots: 2,
      cost: seen.cost,
    })
    expect((await lastLine())?.detail).toBe('005930 · 받을 주식 4주 기다리지 않기: 139,300원은 매매 2건의 원가로')
  })

  test('or as a loss, the person’s own with them', async () => {
    await giveUp({ ...seen, trades: 0, ofPerson: 3 })
    expect(fixture.accounts.commands.at(-1)?.command).toMatchObject({ seen: { ofPerson: 3 }, lots: 0 })
    expect((await lastLine())?.detail).toBe('005930 · 받을 주식 4주 기다리지 않기: 139,300원은 손실로')
  })

  test('are refused in words, which the log has too', async () => {
    fixture.accounts.answer = new Refused('CONFLICT', '보신 뒤 받을 주식이 바뀌었습니다.')
    expect(problemIn(await giveUp())).toBe('CONFLICT')
    expect((await lastLine())?.detail).toContain('거절: 보신 뒤 받을 주식이 바뀌었습니다.')
  })

  test('are not given up without the key: they may have come', async () => {
    await takeKey()
    expect(problemIn(await giveUp())).toBe('NEED_USERKEY')
    expect(fixture.accounts.commands).toEqual([])
  })

  test('nor by what nobody saw', async () => {
    expect(problemIn(await giveUp({ count: 4, trades: 2, cost: 278_600 }))).toBe('INVALID')
    expect(fixture.accounts.commands).toEqual([])
  })

  test('of somebody else are an administrator’s business only', async () => {
    const mate = await fixture.addPerson('mate')
    const boss = await fixture.addPerson('boss', true)
    const url = `/api/${owner.userId}/stock/005930`
    expect(problemIn(await giveUp(seen, { url, cookie: mate.cookie }))).toBe('FORBIDDEN')
    expect(fixture.accounts.commands).toEqual([])
    expect((await giveUp(seen, { url, cookie: boss.cookie })).json()).toMatchObject({ expected: null })
  })
})

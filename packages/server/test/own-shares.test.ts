import { type Stock, type Trade, Refused } from '@digger/contract'
import { type Person, type ServerFixture } from './server-fixture.ts'
import { problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let fixture: ServerFixture
let owner: Person

beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
  fixture.giveStock(owner.userId)
})
afterEach(() => fixture[Symbol.asyncDispose]())

const STOCK = '/api/user/stock/005930'
const get = async <T>(url: string): Promise<T> => (await fixture.call('GET', url, { cookie: owner.cookie })).json<T>()
const keep = (count: unknown, { url = STOCK, cookie = owner.cookie } = {}) =>
  fixture.call('PUT', `${url}/kept`, { cookie, payload: { count } })
const release = (tradeIds: unknown, { url = STOCK, cookie = owner.cookie } = {}) =>
  fixture.call('POST', `${url}/release`, { cookie, payload: { tradeIds } })
const lastLine = async () => (await get<{ by: string; action: string; detail: string }[]>('/api/user/audit'))[0]

const taken = async () => (await get<Trade[]>(`${STOCK}/trade`)).filter((trade) => trade.takenOver)

/** A third lot, which a correction of the balance brought. */
function takeOver(): void {
  const at = fixture.clock.now()
  const lot = { id: 3, count: 5, buyPrice: 60_000, buyAmount: 300_000, boughtAt: at, buyOrderId: null }
  fixture.accounts.happen(owner.userId, {
    at,
    kind: 'lotBought',
    code: '005930',
    lot: { ...lot, heldBack: false, takenOver: true },
  })
}

/** Without the key nothing reaches the broker; this concerns the book alone. */
async function takeKey(): Promise<void> {
  await fixture.vault.remove(owner.userId)
  await fixture.accounts.lock(owner.userId)
}

describe('shares a person keeps', () => {
  test('are typed as people type, come back with the stock, and are in the log with what they were', async () => {
    expect(await get(STOCK)).toMatchObject({ kept: 0 })
    expect((await keep('1,000')).json()).toMatchObject({ code: '005930', kept: 1_000, remainCount: 4 })
    expect(await get(STOCK)).toMatchObject({ kept: 1_000 })
    expect((await get<Stock[]>('/api/user/stock'))[0]).toMatchObject({ kept: 1_000 })
    await keep(0)
    expect(await lastLine()).toEqual({
      at: expect.any(String),
      by: owner.email,
      action: '직접 관리하는 수량 저장',
      detail: '005930 · 1000주→0주',
    })
  })

  test.each([
    [-1, '0 이상으로'],
    [1.5, '정수로'],
    ['', '정수로'],
    ['열', '정수로'],
    [1_000_000_001, '이하로'],
  ])('%j is no count', async (count, says) => {
    const reply = await keep(count)
    expect([problemIn(reply), reply.json<{ message: string }>().message]).toEqual([
      'INVALID',
      expect.stringMatching(new RegExp(`^수량: .*${says}`)),
    ])
    expect(fixture.accounts.commands).toEqual([])
  })

  test('do not need the broker’s key', async () => {
    await takeKey()
    expect((await keep(7)).json()).toMatchObject({ kept: 7 })
  })
})

describe('a lot that a correction took over', () => {
  beforeEach(takeOver)

  test('says so in the list until its person lets it be sold', async () => {
    expect((await taken()).map(({ id, buyCount }) => [id, buyCount])).toEqual([[3, 5]])
    expect((await release([3])).json()).toEqual({})
    expect(fixture.accounts.commands.at(-1)?.command).toEqual({ kind: 'releaseLots', code: '005930', lotIds: [3] })
    expect(await taken()).toEqual([])
    expect(await lastLine()).toMatchObject({ by: owner.email, detail: '005930 · 매매 3' })
  })

  test('is released without the broker’s key: what is sold then is decided later', async () => {
    await takeKey()
    expect((await release([3])).statusCode).toBe(200)
  })

  test('that is gone meanwhile is refused in words, which the log has too', async () => {
    fixture.accounts.answer = new Refused('NOT_FOUND', '이미 팔렸거나 없는 매매입니다. 목록을 새로 고쳐 주세요.')
    expect(problemIn(await release([3, 9]))).toBe('NOT_FOUND')
    expect((await lastLine())?.detail).toBe(
      '005930 · 매매 3, 9 · 거절: 이미 팔렸거나 없는 매매입니다. 목록을 새로 고쳐 주세요.',
    )
  })

  test.each([[[]], [[0]], [['x']], ['3'], [Array.from({ length: 1_001 }, (_, n) => n + 1)]])(
    '%j names no trades',
    async (tradeIds) => expect(problemIn(await release(tradeIds))).toBe('INVALID'),
  )
})

test('the shares of somebody else are an administrator’s business only', async () => {
  takeOver()
  const mate = await fixture.addPerson('mate')
  const boss = await fixture.addPerson('boss', true)
  const url = `/api/${owner.userId}/stock/005930`
  for (const call of [keep(7, { url, cookie: mate.cookie }), release([3], { url, cookie: mate.cookie })])
    expect(problemIn(await call)).toBe('FORBIDDEN')
  expect(fixture.accounts.commands).toEqual([])
  expect((await keep(7, { url, cookie: boss.cookie })).json()).toMatchObject({ kept: 7 })
  expect(await lastLine()).toMatchObject({ by: boss.email, detail: '005930 · 0주→7주' })
})

test('a stock that is not in the list keeps nothing', async () => {
  const url = '/api/user/stock/000660'
  expect(problemIn(await keep(7, { url }))).toBe('NOT_FOUND')
  expect(problemIn(await release([3], { url }))).toBe('NOT_FOUND')
})

import { SETTINGS } from '@digger/engine/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { problemIn } from './request.ts'
import type { Person, ServerFixture } from './server-fixture.ts'
import { startFixture } from './shared-fixture.ts'

let fixture: ServerFixture
let owner: Person
let boss: Person

beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
  boss = await fixture.addPerson('boss', true)
})
afterEach(() => fixture[Symbol.asyncDispose]())

const save = (code: string, who = owner, whose = 'user') =>
  fixture.call('POST', `/api/${whose}/stock/${code}`, { cookie: who.cookie, payload: SETTINGS })
const setMayAdd = (mayAddStocks: boolean, who = boss, whose = owner.userId) =>
  fixture.call('PUT', `/api/admin/8017/user/${whose}/may-add`, { cookie: who.cookie, payload: { mayAddStocks } })
const me = async (who: Person): Promise<boolean> =>
  (await fixture.call('GET', '/api/user/user', { cookie: who.cookie })).json<{ mayAddStocks: boolean }>().mayAddStocks
const listed = (whose: Person): string[] => [...fixture.accounts.book(whose.userId).stocks.keys()]

describe('whoever is no administrator', () => {
  test('adds no stock, and learns whom to ask; nothing is asked of the broker', async () => {
    let asked = 0
    const { kisOf } = fixture.accounts
    fixture.accounts.kisOf = (userId) => ((asked += 1), kisOf(userId))
    const reply = await save('000660')
    expect(problemIn(reply)).toBe('FORBIDDEN')
    expect(reply.json<{ message: string }>().message).toContain('관리자')
    expect([listed(owner), asked, await me(owner)]).toEqual([[], 0, false])
  })

  test('saves the settings of a stock that is listed all the same', async () => {
    fixture.giveStock(owner.userId)
    expect((await save('005930')).statusCode).toBe(200)
  })

  test('adds stocks while an administrator lets them, and no more after', async () => {
    expect((await setMayAdd(true)).json()).toMatchObject({ userId: owner.userId, mayAddStocks: true, userKey: true })
    expect(await me(owner)).toBe(true)
    expect((await save('000660')).statusCode).toBe(200)
    await setMayAdd(false)
    expect([problemIn(await save('005930')), await me(owner), listed(owner)]).toEqual(['FORBIDDEN', false, ['000660']])
  })

  test('cannot let themselves', async () => {
    expect(problemIn(await setMayAdd(true, owner))).toBe('FORBIDDEN')
    expect(await me(owner)).toBe(false)
  })
})

test('an administrator adds stocks to any list, and their own switch changes nothing', async () => {
  expect((await save('000660', boss, owner.userId)).statusCode).toBe(200)
  await setMayAdd(false, boss, boss.userId)
  expect((await save('000660', boss)).statusCode).toBe(200)
  expect([listed(owner), listed(boss), await me(boss)]).toEqual([['000660'], ['000660'], true])
})

test('the switch is in the log of the account, and nobody who is not there has one', async () => {
  await setMayAdd(true)
  const [line] = (await fixture.call('GET', '/api/user/audit', { cookie: owner.cookie })).json<object[]>()
  expect(line).toMatchObject({ by: boss.email, detail: '켬' })
  expect(problemIn(await setMayAdd(true, boss, 'nobody'))).toBe('NOT_FOUND')
})

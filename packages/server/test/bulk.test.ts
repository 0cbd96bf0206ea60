import { setImmediate as nextTurn } from 'node:timers/promises'
import { OutcomeUnknown, Refused } from '@digger/contract'
import { UnreachableError } from '@digger/kis'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SETTINGS } from '@digger/engine/testing'
import { isSentence } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import type { Person, ServerFixture } from './server-fixture.ts'

interface Line {
  readonly userId: string
  readonly email: string
  readonly ok: boolean
  readonly message: string
}

const CALLS = ['login', 'order/cancel', 'order/sell', 'balance/check', 'balance/fix'] as const
const USERS = 24
/** Of the administrator too. */
const EVERYONE = USERS + 1

let fixture: ServerFixture
let admin: Person
let users: string[]
let base: string

beforeAll(async () => {
  fixture = await startFixture()
  admin = await fixture.addPerson('boss', true)
  users = []
  for (let n = 0; n < USERS; n++) {
    fixture.clock.advance(1)
    users.push(await fixture.addUser(`u${String(n).padStart(3, '0')}`))
  }
  for (const userId of users) fixture.giveStock(userId)
  base = await fixture.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => fixture[Symbol.asyncDispose]())

const [refusedAt, keylessAt, brokenAt, awayAt] = [3, 8, 13, 21]
const at = (index: number): string => users[index] ?? ''
let atOnce = 0
let most = 0
let held: Promise<void> | undefined

beforeEach(async () => {
  atOnce = most = 0
  held = undefined
  fixture.log.length = 0
  await fixture.vault.remove(at(keylessAt))
  await fixture.accounts.lock(at(keylessAt))
})

/** One account's work takes a while, and some of it fails in every way there is. */
async function work(userId: string): Promise<void> {
  most = Math.max(most, ++atOnce)
  await held
  atOnce -= 1
  if (userId === at(refusedAt)) throw new Refused('REJECTED', '주문이 불가한 계좌입니다.')
  if (userId === at(brokenAt)) throw new TypeError('nobody foresaw this')
  if (userId === at(awayAt)) throw new UnreachableError('증권사의 응답을 받지 못했습니다.')
}

beforeAll(() => {
  const ask = fixture.accounts.ask.bind(fixture.accounts)
  const connect = fixture.accounts.connect.bind(fixture.accounts)
  fixture.accounts.ask = async (userId, command) => {
    await work(userId)
    return ask(userId, command)
  }
  fixture.accounts.connect = async (userId) => {
    await work(userId)
    await connect(userId)
  }
})

async function run(call: string): Promise<Line[]> {
  const reply = await fixture.call('POST', `/api/admin/8017/${call}`, { cookie: admin.cookie })
  expect(reply.statusCode).toBe(200)
  return reply.json<{ results: Line[] }>().results
}

describe.each(CALLS)('%s of twenty-five', (call) => {
  test('gives each a line, in the order of the list; who fails does not keep the others from theirs', async () => {
    const lines = await run(call)
    expect(lines.map(({ userId }) => userId)).toEqual([admin.userId, ...users])
    const failed = lines.filter(({ ok }) => !ok).map(({ userId }) => userId)
    expect(failed).toEqual([refusedAt, keylessAt, brokenAt, awayAt].map(at))
    expect(lines.filter(({ message }) => !isSentence(message))).toEqual([])
    const messageOf = (index: number) => lines.find(({ userId }) => userId === at(index))?.message
    expect(messageOf(refusedAt)).toContain('주문이 불가한 계좌입니다.')
    expect(messageOf(keylessAt)).toContain('사용자 키')
    expect(messageOf(brokenAt)).toContain('서버에서 문제가 생겼습니다.')
    expect(messageOf(awayAt)).toContain('응답을 받지 못했습니다.')
    expect(fixture.log.filter((line) => line.includes('nobody foresaw this'))).toHaveLength(1)
  })

  test('works on a few accounts at a time, not on all at once', async () => {
    const release = Promise.withResolvers<void>()
    held = release.promise
    const running = run(call)
    await expect.poll(() => atOnce).toBeGreaterThanOrEqual(4)
    release.resolve()
    await running
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(4)
  })

  test('may be asked again: the same lines, the same work', async () => {
    const first = await run(call)
    const before = fixture.accounts.commands.length
    const again = await run(call)
    expect(again).toEqual(first)
    const asked = fixture.accounts.commands.slice(before).map(({ userId }) => userId)
    expect(new Set(asked).size).toBe(asked.length)
  })

  test('is in the log of each account, with who asked', async () => {
    await run(call)
    for (const userId of [at(0), at(refusedAt)]) {
      const [line] = (await fixture.call('GET', `/api/${userId}/audit?limit=1`, { cookie: admin.cookie })).json<
        { by: string; action: string; detail: string }[]
      >()
      expect(line).toMatchObject({ by: admin.email, action: expect.stringMatching(/^일괄 /) })
      expect(line?.detail.startsWith('거절: ')).toBe(userId === at(refusedAt))
    }
  })
})

test('one stock that cannot be sold keeps none of the others from it, and is named with its reason', async () => {
  const { accounts, clock } = fixture
  const issue = { code: '000660', kind: 'stock', market: 'KOSPI', nxt: true } as const
  const lot = {
    id: 3,
    count: 1,
    buyPrice: 800_000,
    buyAmount: 800_000,
    boughtAt: 0,
    buyOrderId: null,
    heldBack: false,
    takenOver: false,
  }
  accounts.happen(
    at(0),
    { at: clock.now(), kind: 'stockAdded', code: '000660', name: 'SK하이닉스', issue, settings: SETTINGS },
    { at: clock.now(), kind: 'lotBought', code: '000660', lot },
  )
  const ask = accounts.ask.bind(accounts)
  let asking = 0
  let together = 0
  const withoutSamsung: typeof ask = async (userId, command) => {
    if (userId === at(0)) together = Math.max(together, ++asking)
    await nextTurn()
    if (userId === at(0)) asking -= 1
    if (command.kind === 'sellStock' && command.code === '005930')
      throw new Refused('STOPPED', '이 종목은 멈춰 있습니다.')
    return ask(userId, command)
  }
  accounts.ask = withoutSamsung
  const before = accounts.commands.length
  const lines = await run('order/sell').finally(() => (accounts.ask = ask))
  expect(lines.find(({ userId }) => userId === at(0))).toMatchObject({
    ok: false,
    message: '1종목을 목표가에 걸었고, 1종목은 다 걸지 못했습니다. 삼성전자: 이 종목은 멈춰 있습니다.',
  })
  // All at once would be more than the gate lets wait to be sent.
  expect(together).toBe(1)
  const sold = accounts.commands.slice(before).filter(({ userId }) => userId === at(0))
  expect(sold.map(({ command }) => command)).toEqual([{ kind: 'sellStock', code: '000660' }])
})

test('a sale whose order may have gone is not called refused, on the screen or in the log', async () => {
  const { accounts } = fixture
  const ask = accounts.ask.bind(accounts)
  accounts.ask = async (userId, command) => {
    if (userId === at(1)) throw new OutcomeUnknown('결과를 확인하고 있습니다.')
    return ask(userId, command)
  }
  const lines = await run('order/sell').finally(() => (accounts.ask = ask))
  const message = '0종목을 목표가에 걸었고, 1종목은 결과를 확인하고 있습니다. 삼성전자: 결과를 확인하고 있습니다.'
  expect(lines.find(({ userId }) => userId === at(1))).toMatchObject({ ok: false, message })
  const audit = await fixture.call('GET', `/api/${at(1)}/audit?limit=1`, { cookie: admin.cookie })
  expect(audit.json()).toMatchObject([{ action: '일괄 매도', detail: `결과 불명: ${message}` }])
})

test('a sale of everything that one stock holds up is answered in time, and names what is left', async () => {
  const { accounts, clock } = fixture
  const ask = accounts.ask.bind(accounts)
  const begun = Promise.withResolvers<void>()
  accounts.ask = async (userId, command) => {
    if (userId !== at(0)) return ask(userId, command)
    begun.resolve()
    return new Promise(() => undefined)
  }
  const running = run('order/sell')
  await begun.promise
  clock.advance(35_000)
  const lines = await running.finally(() => (accounts.ask = ask))
  const { message, ok } = lines.find(({ userId }) => userId === at(0)) ?? {}
  expect(ok).toBe(false)
  expect(message).toMatch(/^0종목을 목표가에 걸었고, 1종목은 결과를 확인하고 있습니다\. \S+: 아직 처리가/)
  expect(message).toMatch(/1종목은 다 걸지 못했습니다\. \S+: 시간이 모자라 아직 걸지 않았습니다\. 다시 눌러 주세요\.$/)
})

test('the administrator’s screen counts along to the end', async () => {
  const leave = new AbortController()
  const stream = await fetch(`${base}/api/user/events`, { headers: { cookie: admin.cookie }, signal: leave.signal })
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const running = run('balance/check')
  while (!text.includes(`"done":${EVERYONE}`)) {
    // Time stands still here but for the bundles of the stream.
    fixture.clock.advance(100)
    text += (await reader?.read())?.value ?? ''
  }
  await running
  const counts = [...text.matchAll(/event: progress\ndata: \{"task":"잔고 비교","done":(\d+),"total":25\}/g)]
  const done = counts.map(([, count]) => Number(count))
  expect(done.at(-1)).toBe(EVERYONE)
  expect(done).toEqual(done.toSorted((a, b) => a - b))
  leave.abort()
})

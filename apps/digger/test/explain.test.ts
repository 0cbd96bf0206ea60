import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { evolve, parseIncident, playIncident, type IncidentStep } from '@digger/core'
import { bookBefore, decisionOf, loadOrCreate } from '@digger/storage'
import { CODE, Exchange } from '@digger/engine/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, questionOf } from '../src/explain.ts'
import { explain } from '../src/explanation.ts'

let market: Exchange
const home = mkdtempSync(join(tmpdir(), 'digger-explain-'))

/** A lot is bought, rests at its target, and is sold. */
beforeAll(async () => {
  market = await Exchange.open()
  market.sim.setPrice(CODE, 158_000)
  await market.watch({ maxBuyPrice: 157_000 })
  await market.price(156_900)
  await market.wait(1_000)
  await market.price(158_500)
  await market.wait(1_000)
})
afterAll(async () => {
  await market.close()
  rmSync(home, { recursive: true, force: true })
})

const ask = (question: Parameters<typeof answer>[1]) => answer(market.database.db, question)

/** The step that made an order, with the book before it. */
async function stepOf(order: number): Promise<{ one: IncidentStep; book: Awaited<ReturnType<typeof bookBefore>> }> {
  const { db } = market.database
  const { rows } = await market.database.pool.query<{ seq: number }>(
    `select seq::int from journal where fact ->> 'kind' = 'orderIntended' and fact -> 'order' ->> 'id' = $1`,
    [String(order)],
  )
  const one = await decisionOf(db, market.userId, rows[0]?.seq ?? 0)
  if (one?.input == null) throw new Error(`order ${order} has no decision`)
  return { one, book: await bookBefore(db, market.userId, one.seq, one.input.loaded) }
}

test('an automatic buy is decided again and told with its numbers, and what became of it', async () => {
  const { ok, lines } = await ask({ order: 1 })
  const text = lines.join('\n')
  expect(ok).toBe(true)
  expect(text).toContain(`주문 1: ${CODE} 매수 2주, 156,900원 (자동, KRX)`)
  expect(text).toMatch(/정한 때: 2026-01-05 10:0\d:\d\d\.\d{3} \(한국 시각\)/)
  expect(text).toContain('마지막 체결가: 156,900원, 0.0초 전 (매수는 5초까지)')
  expect(text).toContain('다음 매수가 157,000원, 최고 매수가 157,000원, 한 번에 400,000원')
  expect(text).toContain('보유: 0건 0주, 0원')
  expect(text).toMatch(/살 수 있는 금액: \d+,000,000원/)
  expect(text).toContain('낸 이유: 현재가 156,900원이 다음 매수가 157,000원 이하입니다.')
  expect(text).toMatch(/지난 확인 40가지: [^A-Za-z]*$/m)
  expect(text).not.toMatch(/막은 확인|!!!/)
  expect(text).toMatch(/같은 입력에서 기록과 똑같은 사실 \d+건이 나왔습니다/)
  expect(text).toMatch(/증권사가 받았습니다. 주문 번호 \d+/)
  expect(text).toContain('모두 2주, 313,800원 체결되었습니다.')
  expect(text).toContain('매매 1: 2주, 156,900원에 산 것으로 적었습니다.')
  expect(text).toContain('매매 1: 2주를 158,500원에 판 것으로 적었습니다.')
})

test('its sale is told with the lot and its target', async () => {
  const { ok, lines } = await ask({ order: 2, user: 'trader@example.com' })
  const text = lines.join('\n')
  expect(ok).toBe(true)
  expect(text).toContain(`주문 2: ${CODE} 매도 2주, 158,500원 (자동, KRX)`)
  expect(text).toContain('매매 1: 2주, 156,900원에 삼, 목표 158,500원')
  expect(text).toContain('모두 2주, 317,000원 체결되었습니다.')
  expect(text).toContain('끝났습니다: filled')
})

test('a step without an order is told too', async () => {
  const { one } = await stepOf(1)
  const { ok, lines } = await ask({ seq: one.seq + one.facts.length, user: market.userId })
  expect(ok).toBe(true)
  expect(lines.join('\n')).toContain('계기: 주문 1의 소식이었습니다: accepted')
})

test('a journal that this program would not have written is told loudly', async () => {
  const { one, book } = await stepOf(1)
  const facts = one.facts.map((fact) =>
    fact.kind === 'orderIntended' ? { ...fact, order: { ...fact.order, count: 3 } } : fact,
  )
  const { ok, lines } = explain({ ...one, facts }, book, 1, [])
  expect(ok).toBe(false)
  expect(lines.join('\n')).toMatch(
    /!!! 다시 정한 결과가 기록과 다릅니다[\s\S]*!!! 기록: .*"count":3[\s\S]*!!! 지금: .*"count":2/,
  )
})

test('where the gate would refuse today, the check that does it is named with its words', async () => {
  const { one, book } = await stepOf(1)
  const halted = evolve(book, { kind: 'userStopped', stop: 'halt', at: 0 })
  const { ok, lines } = explain(one, halted, 1, [])
  expect(ok).toBe(false)
  expect(lines.join('\n')).toContain('막은 확인: 멈춤이 걸려 있지 않음: 모든 주문이 멈춰 있습니다.')
  expect(lines.join('\n')).toContain('!!! 지금: 아무 사실도 없음')
})

test('an order of an earlier version is told with the sentence that was kept', async () => {
  const { one, book } = await stepOf(1)
  const { ok, lines } = explain({ ...one, input: null }, book, 1, [])
  expect(ok).toBe(false)
  expect(lines.join('\n')).toMatch(/입력은 적혀 있지 않습니다[\s\S]*그때 적은 이유: 현재가 156,900원이/)
})

test('the incident of its day is written for its owner only, and plays to the same end', async () => {
  const path = join(home, 'day.json')
  const { ok, lines } = await ask({ order: 1, incident: path })
  expect([ok, lines.join('\n')]).toEqual([true, expect.stringContaining('20260105의 결정')])
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(playIncident(parseIncident(readFileSync(path, 'utf8'))).divergence).toBe(null)
  await expect(ask({ order: 1, incident: path })).rejects.toThrow(/쓰지 못했습니다/)
  await expect(ask({ day: '20260104', incident: join(home, 'none.json') })).rejects.toThrow(/기록이 없습니다/)
})

test('what cannot be told is said plainly', async () => {
  await expect(ask({ order: 99 })).rejects.toThrow('trader@example.com에게 주문 99번이 없습니다.')
  await expect(ask({ seq: 9_999 })).rejects.toThrow('trader@example.com에게 기록 9999번이 없습니다.')
  await expect(ask({ order: 1, user: 'nobody@example.com' })).rejects.toThrow(
    'nobody@example.com라는 사용자가 없습니다.',
  )
  await expect(ask({})).rejects.toThrow(/쓰는 법/)
  for (const args of [['--order', 'x'], ['--order', '0'], ['--what'], ['7']])
    expect(() => questionOf(args)).toThrow(/쓰는 법: npm run explain/)
  expect(questionOf(['--order', '7', '--user', 'a'])).toEqual({ order: 7, user: 'a' })
})

test('whose order it is must be said where several have one of its number', async () => {
  const { db, pool } = market.database
  const other = { id: 'othersothersot', email: 'other@example.com', password_hash: 'x', digger_admin: false }
  const rest = { account_masked: '****2', account_mark: Buffer.from('2'), bank_balance: 0, created_at: 1 }
  await db
    .insertInto('users')
    .values({ ...other, ...rest })
    .execute()
  expect((await ask({ order: 1 })).ok).toBe(true)
  await loadOrCreate({ db, pool }, other.id, market.sim.clock.now())
  await pool.query(
    'insert into account_order select $1, id, code, side, origin, type, price, count, venue, session, status, live, day, odno, orgno, filled_count, filled_amount, reserved_price, created_at, updated_at, why, note, absent_from, cancel_asked from account_order where id = 1',
    [other.id],
  )
  await expect(ask({ order: 1 })).rejects.toThrow('--user other@example.com, --user trader@example.com')
  await expect(ask({ seq: 1 })).rejects.toThrow(/누구의 것인지/)
})

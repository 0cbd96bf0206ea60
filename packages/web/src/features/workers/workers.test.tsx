import type { ServerState, WorkerState } from '@digger/contract'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Server } from './ServerPage.tsx'
import { canBeDrained, leaseText, stateOf } from './workerText.ts'

const AT = '2026-11-20T10:00:00.000+09:00'
const worker = (change: Partial<WorkerState> = {}): WorkerState => ({
  id: 'aaaa1111',
  version: '0.1.0',
  host: 'seoul-1',
  since: AT,
  leaseAge: 0.4,
  draining: false,
  alive: true,
  shards: 130,
  ...change,
})
const server = (change: Partial<ServerState> = {}): ServerState => ({
  role: 'gateway',
  self: { worker: null, version: '0.1.0', host: 'front-1', since: AT },
  workers: [worker(), worker({ id: 'bbbb2222', shards: 126 })],
  unowned: 0,
  moves: [],
  stop: { is: 'active', why: null },
  ...change,
})
const show = (change: Partial<ServerState>) =>
  renderToStaticMarkup(<Server server={server(change)} onDrain={() => undefined} />)

test.each<[string, Partial<WorkerState>, string]>([
  ['works', {}, 'working'],
  ['still lets go', { draining: true }, 'draining'],
  ['has let all go', { draining: true, shards: 0 }, 'drained'],
  ['is dead, whatever was asked of it', { alive: false, draining: true }, 'dead'],
])('%s', (_name, change, state) => expect(stateOf(worker(change))).toBe(state))

test('says how long ago it answered', () => {
  expect(leaseText(worker())).toBe('0.4초 전')
  expect(leaseText(worker({ leaseAge: 600 }))).toBe('10.0분 전')
})

test('only one that somebody else can stand in for is drained', () => {
  const other = (change: Partial<WorkerState>) => [worker(), worker({ id: 'bbbb2222', ...change })]
  expect(canBeDrained(worker(), other({}))).toBe(true)
  expect(canBeDrained(worker(), other({ draining: true }))).toBe(false)
  expect(canBeDrained(worker(), other({ alive: false }))).toBe(false)
  expect(canBeDrained(worker(), [worker()])).toBe(false)
})

test('the one server is shown without a button', () => {
  const html = show({ role: 'all', workers: [] })
  expect(html).toContain('서버 한 대가 모든 계좌를 맡고 있습니다.')
  expect(html).toContain('front-1')
  expect(html).not.toContain('<button')
})

test('accounts that nobody has are a warning; without any it is not there', () => {
  expect(show({ unowned: 43 })).toContain('맡은 워커가 없는 계좌 묶음이 43개 있습니다.')
  expect(show({})).not.toContain('맡은 워커가 없는')
  expect(show({ workers: [], unowned: 256 })).toContain('켜져 있는 워커가 없습니다.')
})

test('each worker has its button, and the last one cannot be pressed', () => {
  const draining = worker({ id: 'bbbb2222', draining: true })
  const html = show({ workers: [worker(), draining, worker({ id: 'cccc3333', alive: false })] })
  // In its card and in its row.
  expect(html.match(/>다시 맡기기<\/button>/g)).toHaveLength(2)
  expect(html.match(/disabled=""[^>]*>비우기<\/button>/g)).toHaveLength(2)
  expect(html).toContain('응답 없음')
  expect(show({}).match(/disabled/g)).toBeNull()
})

test('a move says who took how many from whom, and why', () => {
  const html = show({ moves: [{ at: AT, shards: 43, from: null, to: 'aaaa1111', why: '맡은 워커가 없었습니다' }] })
  expect(html).toContain('26-11-20 10:00:00')
  expect(html).toContain('묶음 43개')
  expect(html).toContain('맡은 워커가 없었습니다')
  expect(show({})).toContain('아직 옮긴 계좌가 없습니다.')
})

test('says which stop holds the whole server, and why', () => {
  expect(show({ stop: { is: 'reduce', why: '감시 프로그램이 멈췄습니다.' } })).toContain('매수 멈춤')
  expect(show({ stop: { is: 'reduce', why: '감시 프로그램이 멈췄습니다.' } })).toContain('감시 프로그램이 멈췄습니다.')
})

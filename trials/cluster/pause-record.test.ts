import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PauseRecord } from './pause-record.ts'

let record: PauseRecord
const came = (host: string, at: number, ...users: string[]): void => record.report(host, { came: users, went: [], at })
const went = (host: string, at: number, ...users: string[]): void => record.report(host, { came: [], went: users, at })

beforeEach(() => {
  record = new PauseRecord()
  vi.useFakeTimers({ now: 10_000 })
})
afterEach(() => vi.useRealTimers())

test('a pause of an account is from where it may begin nothing any more until it may somewhere', () => {
  came('w1', 1_000, 'a', 'b')
  expect(record.between(0, 9_000)).toEqual([])
  went('w1', 2_000, 'a')
  came('w2', 4_500, 'a')
  went('w1', 5_000, 'b')
  came('w1', 6_000, 'b')
  expect(record.between(0, 9_000)).toEqual([2_500, 1_000])
})

test('one worker’s report may come after another’s that was made later', () => {
  came('w1', 1_000, 'a')
  came('w2', 2_900, 'a')
  went('w1', 2_000, 'a')
  expect(record.between(0, 9_000)).toEqual([900])
})

test('only those count that began meanwhile; what lasts counts until the end', () => {
  came('w1', 1_000, 'a', 'b', 'c')
  went('w1', 2_000, 'a')
  went('w1', 4_000, 'b')
  came('w1', 4_500, 'a')
  went('w1', 6_000, 'c')
  expect(record.between(3_000, 5_000)).toEqual([1_000])
})

test('whoever was armed at a process that has ended pauses from then on; what it says of strangers is nothing', () => {
  came('w1', 1_000, 'a', 'b')
  went('w1', 1_500, 'stranger')
  record.gone('w1')
  record.gone('w1')
  came('w2', 12_000, 'a', 'b')
  expect(record.between(0, 20_000)).toEqual([2_000, 2_000])
})

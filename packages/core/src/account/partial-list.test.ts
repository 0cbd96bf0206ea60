import { describe, expect, test } from 'vitest'
import { Desk } from '../../test/desk.ts'
import type { Execution } from './types.ts'

const part = (desk: Desk, executions: readonly Execution[]): Desk =>
  desk.do({ kind: 'snapshotFailed', text: '자료가 변경되었습니다.', seen: { askedAt: desk.now, executions } })

describe('a list that changed while it was read', () => {
  test('what it showed of our orders is booked', () => {
    const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1).wait(2_000)
    part(desk, [desk.row(1, { filledCount: 2, remainingCount: 0 })])
    expect([desk.order(1).status, desk.lots]).toEqual(['filled', ['1: 2 @ 70000']])
  })

  test('what it did not show is not missing, and a stranger in it is not yet one', () => {
    const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1).wait(50_000)
    part(desk, [desk.row(1, { odno: '0000000500', orderedAt: desk.now, filledCount: 2, remainingCount: 0 })])
    part(desk.wait(50_000), [])
    expect([desk.order(1).status, desk.account.view.orders.unlisted.size, desk.stock.blocked]).toEqual([
      'open',
      0,
      null,
    ])
    expect(desk.account.view.orders.strangers.size).toBe(0)
  })

  test('it is asked for again soon, however often it changes', () => {
    const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1)
    for (let n = 0; n < 8; n++) part(desk.wait(2_000).timer(), [])
    expect(desk.account.view.readSchedule).toMatchObject({ running: false, dueAt: desk.now + 2_000 })
  })

  test('where the same will be missing again, it is asked for ever less often, and fills are booked all the same', () => {
    const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1)
    const fail = (executions: readonly Execution[]): Desk =>
      desk.do({
        kind: 'snapshotFailed',
        text: '읽지 못했습니다.',
        seen: { askedAt: desk.now, executions },
        isLasting: true,
      })
    for (let n = 0; n < 8; n++) fail([])
    expect(desk.account.view.readSchedule.dueAt).toBe(desk.now + 30_000)
    fail([desk.row(1, { filledCount: 2, remainingCount: 0 })])
    expect([desk.order(1).status, desk.lots]).toEqual(['filled', ['1: 2 @ 70000']])
  })

  test('nor is anything believed that was asked before the clock was set back', () => {
    const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1)
    const executions = [desk.row(1, { filledCount: 2, remainingCount: 0 })]
    desk.do({ kind: 'snapshotFailed', text: '', seen: { askedAt: desk.now + 1, executions } })
    expect(desk.lots).toEqual([])
  })
})

test('a reading is told which stocks have fills that only notices told of', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1).wait(20_000)
  desk.read([desk.row(1)]).wait(5_000)
  const asked: unknown[] = []
  const note = (): void => void asked.push(...desk.effects.filter(({ kind }) => kind === 'readLists'))
  desk.do({ kind: 'notice', odno: desk.order(1).odno ?? '', filledCount: 2 })
  for (let seconds = 0; seconds < 5; seconds++, desk.wait(1_000).timer()) note()
  expect(asked).toEqual([expect.objectContaining({ noticed: ['005930'] })])
  desk
    .read([desk.row(1, { filledCount: 2, remainingCount: 0 })])
    .wait(20 * 60_000)
    .timer()
  note()
  expect(asked).toHaveLength(2)
  expect(asked[1]).not.toHaveProperty('noticed')
})

import { describe, expect, test } from 'vitest'
import { Desk } from '../../test/desk.ts'
import { strangeRow } from '../../test/strange-row.ts'
import type { Execution } from './types.ts'

/** A buy of two at 70,000 by another program, `ageMs` ago. */
const strange = (desk: Desk, ageMs: number, over: Partial<Execution> = {}): Execution =>
  strangeRow({ side: 'buy', count: 2, price: 70_000, orderedAt: desk.now - ageMs, ...over })

describe('a row like our order, of up to a minute before it', () => {
  test.each<[string, (desk: Desk) => unknown, string]>([
    ['refused', (desk) => desk.do({ kind: 'refused', orderId: 1, text: '거절' }), 'rejected'],
    ['without a reply', (desk) => desk.lose(1), 'unknown'],
  ])('that was seen before it is not the one %s', (_, end, status) => {
    const desk = new Desk({ autoSell: false })
    const row = strange(desk, 5_000)
    desk.read([row]).wait(1_000).buyAt(70_000)
    expect(desk.order(1)).toMatchObject({ status: 'intended', count: 2, price: 70_000 })
    end(desk)
    // Nor once it was read again, beside another one.
    desk.wait(5_000).read([row, strange(desk, 0, { odno: '0000000902', side: 'sell' })])
    desk.wait(15_000).read([row])
    expect(desk.order(1)).toMatchObject({ status, odno: null })
    expect(desk.stock.blocked?.code).not.toBe('ambiguous')
    // Our own is found beside it.
    desk.wait(2_000).read([row, desk.row(1, { odno: '0000000901', orderedAt: desk.order(1).createdAt })])
    expect(desk.order(1)).toMatchObject({ status: 'open', odno: '0000000901' })
  })

  test('that is seen only afterwards may be it', () => {
    const desk = new Desk({ autoSell: false }).read([]).wait(1_000)
    const row = strange(desk, 5_000)
    desk.buyAt(70_000).lose(1)
    desk.wait(20_000).read([row])
    expect(desk.order(1)).toMatchObject({ status: 'open', odno: '0000000900' })
  })

  test('that came with a late reading may be an order made before the reading', () => {
    const desk = new Desk({ autoSell: false }).buyAt(70_000).lose(1)
    const row = strange(desk, 0)
    // Within the listing lag nothing is concluded, and the row is only noted.
    desk.wait(5_000).read([row]).wait(20_000).read([row])
    expect(desk.order(1)).toMatchObject({ status: 'open', odno: '0000000900' })
  })
})

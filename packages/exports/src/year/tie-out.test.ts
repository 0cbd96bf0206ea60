import type { BrokerProfit } from '@digger/contract'
import { describe, expect, test } from 'vitest'
import { type GivenLot, lotOf } from '../../test/lots.ts'
import { dealsKey, NO_DEALS, type OwnDeals, type YearBook } from './book.ts'
import { NAMES } from './difference.ts'
import { type TieOutLine, tieOut } from './tie-out.ts'

const CODE = '005930'
type Sale = BrokerProfit['sales'][number]

/** A book of lots and deals; a sale has its lot's numbers unless they are given. */
function bookOf(
  lots: readonly GivenLot[],
  deals: Readonly<Record<string, Partial<OwnDeals>>>,
  more: Partial<YearBook> = {},
): YearBook {
  const entries = Object.entries(deals).map(
    ([day, own]) => [dealsKey(day, CODE), { ...NO_DEALS, name: '삼성전자', ...own }] as const,
  )
  return {
    year: '2026',
    lots: lots.map(lotOf),
    deals: new Map(entries),
    etfs: new Set(),
    mixed: new Set(),
    heldBeyond: new Map(),
    ...more,
  }
}
const saleOf = (date: string, more: Partial<Sale> = {}): Sale => ({
  date,
  code: CODE,
  name: '삼성전자',
  soldCount: 2,
  buyAmount: 0,
  sellAmount: 142_000,
  gainAmount: 1_695,
  fee: 21,
  tax: 284,
  ...more,
})
const dayOf = ({ code: _code, name: _name, soldCount: _count, ...day }: Sale) => day
/** Both lists of the broker, where nothing was only bought. */
const profitOf = (sales: readonly Sale[], days = sales.map(dayOf)): BrokerProfit => ({ days, sales: [...sales] })
const shown = (lines: readonly TieOutLine[]) => lines.map(({ day, code, names }) => [day, code, names.join(', ')])

/** Sold for 142,000 what had cost 140,000, bought on another day. */
const SOLD: Partial<OwnDeals> = {
  sellAmount: 142_000,
  fee: 21,
  tax: 284,
  gainAmount: 1_674,
  soldCost: 140_000,
  lotFee: 42,
  orders: 1,
  sales: 1,
}

describe('book and broker side by side', () => {
  test('a stock of a day, then the sum of the day, which has what was only bought, too', () => {
    const lines = tieOut(
      bookOf([{ bought: '20260105', sold: '20260106' }], {
        '20260105': { buyAmount: 140_000, fee: 21, orders: 1 },
        '20260106': SOLD,
      }),
      profitOf(
        [saleOf('20260106')],
        [
          { date: '20260105', buyAmount: 140_000, sellAmount: 0, gainAmount: 0, fee: 21, tax: 0 },
          dayOf(saleOf('20260106')),
        ],
      ),
    )
    expect(shown(lines)).toEqual([
      ['20260105', null, ''],
      ['20260106', CODE, NAMES.day],
      ['20260106', null, NAMES.day],
    ])
    expect(lines[1]).toMatchObject({ own: { gainAmount: 1_674 }, broker: { gainAmount: 1_695 } })
  })

  test('several entries of a stock of one day are one line', () => {
    const half = { sellAmount: 71_000, gainAmount: 848, fee: 10, tax: 142 }
    const [line] = tieOut(
      bookOf([{}], { '20260106': { ...SOLD, lotFee: 21, gainAmount: 1_695 } }),
      profitOf([saleOf('20260106', half), saleOf('20260106', { ...half, gainAmount: 847, fee: 11 })]),
    )
    expect(line).toMatchObject({ broker: { sellAmount: 142_000, gainAmount: 1_695, fee: 21, tax: 284 }, names: [] })
  })

  test('what only the broker has stands there with its own name', () => {
    const lines = tieOut(bookOf([], {}), profitOf([saleOf('20260301', { code: '000660', name: 'SK하이닉스' })]))
    expect(lines.map(({ code, name, names }) => [code, name, ...names])).toEqual([
      ['000660', 'SK하이닉스', NAMES.person],
      [null, '하루 합계', NAMES.person],
    ])
  })

  test('what a person traded beside Digger is in the sum of the day, too', () => {
    const person = { code: '000660', name: 'SK하이닉스', buyAmount: 70_000, sellAmount: 71_000, gainAmount: 848 }
    const lines = tieOut(
      bookOf([{}], { '20260106': { ...SOLD, lotFee: 21, gainAmount: 1_695 } }),
      profitOf([saleOf('20260106'), saleOf('20260106', person)]),
    )
    expect(shown(lines)).toEqual([
      ['20260106', '000660', NAMES.person],
      ['20260106', CODE, ''],
      ['20260106', null, NAMES.person],
    ])
  })

  test('what only the book has is not explained', () =>
    expect(shown(tieOut(bookOf([{}], { '20260106': SOLD }), profitOf([])))).toEqual([
      ['20260106', CODE, `${NAMES.unexplained}, ${NAMES.day}`],
      ['20260106', null, `${NAMES.unexplained}, ${NAMES.day}`],
    ]))

  test.each([
    ['a day later', '20260107', NAMES.day],
    ['over a long holiday', '20260116', NAMES.day],
    ['weeks later', '20260117', null],
  ])('the same sale %s', (_name, date, name) => {
    const lines = tieOut(
      bookOf([{}], { '20260106': { ...SOLD, lotFee: 21, gainAmount: 1_695 } }),
      profitOf([saleOf(date)]),
    )
    const [own, sum, others] = lines
    expect([own?.names, sum?.names]).toEqual(
      name === null ? [[NAMES.unexplained], [NAMES.unexplained]] : [[name], [name]],
    )
    expect(others?.names).toEqual([name ?? NAMES.person])
  })
})

describe('the broker’s moving average', () => {
  /** Lots of 70,000 and 60,000; the dearer is sold first, and the broker sells both at 65,000. */
  const lots = [
    { id: 1, buy: 70_000, bought: '20260105', sold: '20260106' },
    { id: 2, buy: 60_000, bought: '20260105', sold: '20260107' },
  ]
  const deals = {
    '20260106': { ...SOLD, lotFee: 21, gainAmount: 1_695 },
    '20260107': { ...SOLD, lotFee: 21, soldCost: 120_000, gainAmount: 21_695 },
  }
  const first = saleOf('20260106', { gainAmount: 11_695 })
  const names = (second: number, more: Partial<YearBook> = {}, given: readonly GivenLot[] = lots) =>
    tieOut(bookOf(given, deals, more), profitOf([first, saleOf('20260107', { gainAmount: second })]))
      .filter(({ code }) => code !== null)
      .map((line) => line.names.join())

  test('explains what evens out when all is sold', () => expect(names(11_695)).toEqual([NAMES.average, NAMES.average]))

  test('up to a won for each day', () => {
    expect(names(11_693)).toEqual([NAMES.average, NAMES.average])
    expect(names(11_692)).toEqual([NAMES.unexplained, NAMES.unexplained])
  })

  test('does not explain what is left when all is sold', () =>
    expect(names(1_695)).toEqual([NAMES.unexplained, NAMES.unexplained]))

  test.each<[name: string, more: Partial<YearBook>, given: readonly GivenLot[]]>([
    ['while shares are left', { heldBeyond: new Map([[CODE, '20260105']]) }, lots],
    ['of shares from before the year', {}, [{ ...lots[0], bought: '20251230' }, lots[1] ?? {}]],
    ['beside shares of the person’s own', { mixed: new Set([CODE]) }, lots],
  ])('is believed %s', (_name, more, given) =>
    expect(names(1_695, more, given)).toEqual([NAMES.average, NAMES.average]),
  )

  test('is held against what came after all was sold, whatever was before the year', () => {
    const old = { id: 3, buy: 50_000, bought: '20251201', sold: '20260102' }
    const own = { ...SOLD, lotFee: 21, soldCost: 100_000, gainAmount: 41_695 }
    const [before, ...after] = tieOut(
      bookOf([old, ...lots], { '20260102': own, ...deals }),
      profitOf([saleOf('20260102', { gainAmount: 30_000 }), first, saleOf('20260107', { gainAmount: 1_695 })]),
    ).filter(({ code }) => code !== null)
    expect(before?.names).toEqual([NAMES.average])
    expect(after.map((line) => line.names)).toEqual([[NAMES.unexplained], [NAMES.unexplained]])
  })
})

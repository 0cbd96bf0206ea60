import { NOTIFICATION_KINDS } from '@digger/contract'
import { grouped, kstInstant } from '@digger/core'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillLine, FillSums } from '../../test/bundle-lines.ts'
import { type BundledItem, bundleText, withTime } from './bundle-text.ts'
import { fillsOf } from './fills.ts'

const NAMES = ['삼성전자', 'KODEX 200', 'LG에너지솔루션', '3S'] as const

interface Fill {
  readonly side: 'buy' | 'sell'
  readonly stock: number
  readonly count: number
  readonly price: number
  readonly gain: number
}

const noOrder = { code: null, side: null, name: null } as const

function fillItem({ side, stock, count, price, gain }: Fill): BundledItem {
  const name = NAMES[stock] ?? ''
  const code = `00000${stock}`
  const amount = count * price
  const bought = { id: 1, code, count, buyPrice: 1, buyAmount: amount - gain, boughtAt: 0 }
  const trade = { ...bought, sellPrice: price, sellAmount: amount, soldAt: 0, day: '20261116', fee: 0, tax: 0 }
  const [item] = fillsOf(
    [
      { seq: 1, at: 0, fact: { kind: 'orderFilled', orderId: 1, count, amount, at: 0 }, code, side, name },
      { seq: 2, at: 0, fact: { kind: 'lotSold', lotId: 1, trade, at: 0 }, ...noOrder },
    ],
    new Map(),
  )
  if (item === undefined) throw new Error('no fill')
  return item
}
const other = (text: string, kind: BundledItem['kind'] = 'stockStopped'): BundledItem => ({
  kind,
  code: null,
  text,
  amounts: null,
  fill: null,
})
const buys = (times: number, stock = 0): BundledItem[] =>
  Array.from({ length: times }, (_, n) => fillItem({ side: 'buy', stock, count: n + 1, price: 1_000, gain: 0 }))
const sales = (times: number, gain: number): BundledItem[] =>
  Array.from({ length: times }, () => fillItem({ side: 'sell', stock: 0, count: 2, price: 1_000, gain }))

test.each<[string, BundledItem[], boolean, { title: string; lines: string[] }]>([
  [
    'one fill says itself in the title',
    buys(1),
    true,
    { title: '삼성전자 1주를 샀습니다', lines: ['주당 1,000원, 모두 1,000원'] },
  ],
  ['one fill without amounts', buys(1), false, { title: '삼성전자 1주를 샀습니다', lines: [] }],
  ['60 characters are a title', [other('가'.repeat(60))], true, { title: '가'.repeat(60), lines: [] }],
  ['61 are not', [other('가'.repeat(61))], true, { title: '종목 멈춤', lines: ['가'.repeat(61)] }],
  [
    'four of a kind are four lines',
    buys(4),
    false,
    {
      title: 'Digger: 매수 4건',
      lines: [
        '삼성전자 1주를 샀습니다',
        '삼성전자 2주를 샀습니다',
        '삼성전자 3주를 샀습니다',
        '삼성전자 4주를 샀습니다',
      ],
    },
  ],
  [
    'five are one',
    buys(5),
    true,
    { title: 'Digger: 매수 5건', lines: ['삼성전자 5번에 15주를 샀습니다 (모두 15,000원)'] },
  ],
  [
    'sales say what they brought',
    sales(5, -30),
    true,
    { title: 'Digger: 매도 5건', lines: ['삼성전자 5번에 10주를 팔았습니다 (모두 10,000원, 순손실 -150원)'] },
  ],
  [
    'but not where amounts are off',
    sales(5, 30),
    false,
    { title: 'Digger: 매도 5건', lines: ['삼성전자 5번에 10주를 팔았습니다'] },
  ],
  [
    'what calls for somebody stands first, and both sides are in the title',
    [...buys(1), ...sales(1, 7), other('멈췄습니다.')],
    true,
    {
      title: 'Digger: 매수 1건, 매도 1건, 알림 1건',
      lines: [
        '멈췄습니다.',
        '삼성전자 1주를 샀습니다 (주당 1,000원, 모두 1,000원)',
        '삼성전자 2주를 팔았습니다 (주당 1,000원, 모두 2,000원, 순이익 +7원)',
      ],
    },
  ],
  [
    'a sentence with prices in it, where amounts are off',
    [
      other('기준가가 지난 종가 70,000원에서 1,400원으로 바뀌어 멈췄습니다.'),
      other('지금 -1,234원, 한도 100원입니다.'),
    ],
    false,
    {
      title: 'Digger: 알림 2건',
      lines: ['기준가가 지난 종가 ***원에서 ***원으로 바뀌어 멈췄습니다.', '지금 ***원, 한도 ***원입니다.'],
    },
  ],
  [
    'also where it is the title',
    [other('한도 1,000,000원에 닿았습니다.')],
    false,
    { title: '한도 ***원에 닿았습니다.', lines: [] },
  ],
  ['none', [], true, { title: 'Digger: ', lines: [] }],
])('%s', (_name, items, withAmounts, text) => expect(bundleText(items, withAmounts)).toEqual(text))

const fill = fc.record<Fill>({
  side: fc.constantFrom('buy', 'sell'),
  stock: fc.nat({ max: NAMES.length - 1 }),
  count: fc.integer({ min: 1, max: 5_000_000 }),
  price: fc.integer({ min: 1, max: 2_000_000 }),
  gain: fc.integer({ min: -9_000_000, max: 9_000_000 }),
})
const items = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fill.map(fillItem) },
    fc
      .record({ text: fc.nat(), kind: fc.constantFrom(...NOTIFICATION_KINDS) })
      .map(({ text, kind }) => other(`알림 ${text}.`, kind)),
  ),
  { minLength: 2, maxLength: 60 },
)

test('every item is in exactly one line: numbers and shares of each stock and side add up', () => {
  fc.assert(
    fc.property(items, fc.boolean(), (all, withAmounts) => {
      const { title, lines } = bundleText(all, withAmounts)
      const [wanted, shown] = [new FillSums(), new FillSums()]
      for (const { fill: of, code } of all)
        if (of !== null)
          wanted.count({
            key: `${NAMES[Number(code)]} ${of.side === 'buy' ? '샀' : '팔았'}`,
            fills: 1,
            shares: of.count,
          })
      for (const line of lines) {
        const found = fillLine(line)
        if (found !== null) shown.count(found)
      }
      expect(shown).toEqual(wanted)
      const rest = lines.filter((line) => fillLine(line) === null)
      expect(rest).toEqual(all.flatMap((item) => (item.fill === null ? item.text : [])))
      const sides = (side: string): number => all.filter((item) => item.fill?.side === side).length
      const counts: [string, number][] = [
        ['매수', sides('buy')],
        ['매도', sides('sell')],
        ['알림', rest.length],
      ]
      expect(title).toBe(`Digger: ${counts.flatMap(([name, n]) => (n > 0 ? `${name} ${n}건` : [])).join(', ')}`)
    }),
  )
})

test('a line of many sums their won, and their gains after costs', () => {
  fc.assert(
    fc.property(fc.array(fill, { minLength: 5, maxLength: 30 }), (fills) => {
      const all = fills.map((one) => fillItem({ ...one, side: 'sell', stock: 1 }))
      const amount = fills.reduce((sum, { count, price }) => sum + count * price, 0)
      const net = fills.reduce((sum, { gain }) => sum + gain, 0)
      const [line = ''] = bundleText(all, true).lines
      expect(line).toContain(`(모두 ${grouped(amount)}원, `)
      expect(line).toContain(net < 0 ? `순손실 -${grouped(-net)}원)` : `${grouped(net)}원)`)
    }),
  )
})

test('where amounts are off, none is anywhere', () => {
  const texts = fc.string().map((text) => other(`${text} 12,345원 -5원`))
  fc.assert(
    fc.property(fc.array(fc.oneof(fill.map(fillItem), texts), { maxLength: 20 }), (all) => {
      const { title, lines } = bundleText(all, false)
      expect([title, ...lines].join('\n')).not.toMatch(/\d원/)
    }),
  )
})

test.each([
  ['091500', '091459', []],
  ['091500', '091500', []],
  ['091500', '092500', []],
  ['091500', '092501', ['늦게 전해 드립니다. 11월 6일 09:15의 일입니다.']],
])('of %s, told at %s', (at, now, added) => {
  const text = { title: '삼성전자 1주를 샀습니다', lines: ['주당 1,000원'] }
  const late = withTime(text, kstInstant('20261106', at), kstInstant('20261106', now))
  expect(late).toEqual({ ...text, lines: [...text.lines, ...added] })
})

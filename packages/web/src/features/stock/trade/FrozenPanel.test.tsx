import type { Adjustment, AnnouncedAction } from '@digger/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Router } from 'wouter'
import { newStock } from '../draft.ts'
import { StockCard } from '../StockCard.tsx'
import { FrozenPanel } from './FrozenPanel.tsx'

const move = { day: '20261120', close: 128_800, base: 42_950 }
const stock = { ...newStock('u1', '005930'), name: '삼성전자', frozen: move }
const adjustment: Adjustment = {
  move,
  version: 1,
  maxBuyPrice: { before: 150_000, after: 50_000 },
  lastBuyPrice: { before: null, after: null },
  minSellPrice: { before: null, after: null },
  lots: [
    {
      id: 1,
      buyDateTime: '2026-11-19T10:00:00.000+09:00',
      count: { before: 2, after: 2 },
      buyPrice: { before: 120_000, after: 40_016 },
    },
  ],
  held: 2,
  kept: { before: 0, after: 0 },
  expected: { count: 3, amount: 159_968 },
  announced: null,
}

const show = (page: ReactNode, preview?: Adjustment): string => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  if (preview) client.setQueryData(['adjustment', { userId: 'user', code: '005930' }, {}], preview)
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Router ssrPath="/user/stock/005930/trade">{page}</Router>
    </QueryClientProvider>,
  )
}
/** The text alone, a space for each element. */
const textOf = (html: string): string => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
const buttonIn = (html: string, name: string) => new RegExp(`<button[^>]*>${name}</button>`).exec(html)?.[0]

test('while the preview is read there is nothing to adjust to, but it may be left as it is', () => {
  const html = show(<FrozenPanel stock={stock} move={move} />)
  expect(html).toContain('불러오는 중')
  expect(textOf(html)).toMatch(/지난 종가 128,800원 .*기준가 42,950원 비율 지난 종가의 33\.35%/)
  expect(buttonIn(html, '조정하기')).toContain('disabled')
  expect(buttonIn(html, '그대로 두기')).not.toContain('disabled')
})

const bonus: AnnouncedAction = { kind: 'bonusIssue', day: move.day, ratio: 3, paid: 0, creditDay: null }

test('what was announced for that day is named, and nothing of another day', () => {
  const named = (day: string) =>
    textOf(show(<FrozenPanel stock={{ ...stock, announced: { ...bonus, day } }} move={move} />))
  expect(named(move.day)).toContain('2026-11-20 무상증자(1주당 새 주식 2주)')
  expect(named('20261130')).not.toContain('무상증자(')
})

test('numbers of an earlier move, or that are being read anew, are not agreed to', () => {
  for (const later of [
    { ...move, day: '20261124' },
    { ...move, base: 64_400 },
  ])
    expect(buttonIn(show(<FrozenPanel stock={stock} move={later} />, adjustment), '조정하기')).toContain('disabled')
})

test('with it the panel shows old beside new, and what is still to come', () => {
  const html = show(<FrozenPanel stock={stock} move={move} />, adjustment)
  const text = textOf(html)
  expect(text).toContain('최고 매수가 150,000원 50,000원')
  expect(text).toContain('26-11-19 10:00:00 매수 2주 × 120,000 2주 × 40,016')
  expect(text).toContain('보유 합계 2주 2주')
  expect(text).toContain('새 주식 3주는 나중에 들어옵니다.')
  expect(text).not.toContain('마지막 매수가')
  expect(buttonIn(html, '조정하기')).not.toContain('disabled')
})

const cardOf = (change: object, onOpen?: () => void) =>
  show(<StockCard stock={{ ...stock, ...change }} withSavedGain={false} showDetail={false} onOpen={onOpen} />)

const open = () => undefined

test('the card of a frozen stock leads to the trade screen; on that screen the panel is there already', () => {
  expect(cardOf({}, open)).toMatch(/<a [^>]*href="\/user\/stock\/005930\/trade"[^>]*>.*기준가 변동/)
  expect(cardOf({})).not.toContain('기준가 변동')
  expect(cardOf({ frozen: null }, open)).not.toContain('기준가 변동')
})

test('the card says what the person keeps and what is still to come, and nothing of either where there is none', () => {
  const text = textOf(cardOf({ kept: 1_000, expected: { count: 12, amount: 1 } }))
  expect(text).toContain('직접 관리 1,000주')
  expect(text).toContain('받을 주식 12주')
  expect(textOf(cardOf({ announced: bonus }))).toContain('예정 2026-11-20 무상증자')
  expect(textOf(cardOf({}))).not.toMatch(/직접 관리|받을 주식|예정/)
})

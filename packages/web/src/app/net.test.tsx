import type { Trade } from '@digger/contract'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { GainTotals } from '../features/report/GainTotals.tsx'
import { TradeBox } from '../features/stock/trade/TradeBox.tsx'

const SOLD: Trade = {
  id: 1,
  buyDateTime: '2026-11-10T10:00:00+09:00',
  buyCount: 10,
  buyPrice: 60_000,
  sellDateTime: '2026-11-11T10:00:00+09:00',
  sellPrice: 61_000,
  gainAmount: 10_000,
  gainRatio: 1.67,
  netGainAmount: 9_800,
  buying: false,
  takenOver: false,
  sellOrderId: null,
  targetPrice: null,
}
const nothing = () => undefined
const boxOf = (isEtf: boolean): string =>
  renderToStaticMarkup(<TradeBox trade={SOLD} price={61_000} isEtf={isEtf} onOpen={nothing} onRelease={nothing} />)

test('a net gain of an ETF says that income tax is not in it', () => {
  expect(boxOf(true)).toContain('비용 뺀 손익(ETF 소득세 전)')
  expect(boxOf(false)).not.toContain('소득세')
})

test('sums say what they leave out', () => {
  expect(renderToStaticMarkup(<GainTotals days={[]} />)).toContain('국내 주식형이 아닌 ETF는 이익에서 배당소득세 15.4%')
  expect(renderToStaticMarkup(<GainTotals days={[]} />)).toContain('증권사는 이동평균 단가로')
})

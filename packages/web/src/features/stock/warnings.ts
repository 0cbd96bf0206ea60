import type { Stock, Trade } from '@digger/contract'
import { settingsWarnings, type Lot, type Settings, type Warning } from '@digger/core'
import { number, won } from '../../format/won.ts'
import { heldAmountOf } from './target.ts'

/** What may be sold automatically. Of a position sold at its average the cost of each lot counts, which is shown to the won a share. */
const lotsOf = (trades: readonly Trade[]): Lot[] =>
  trades
    .filter(({ sellDateTime, buying, takenOver }) => sellDateTime === null && !buying && !takenOver)
    .map(({ id, buyCount: count, buyPrice }) => ({ id, count, buyPrice, buyAmount: count * buyPrice, boughtAt: 0 }))

/**
 * What is wrong or surprising about settings that could be saved. `trades`: those of the stock. The costs are those of KOSPI:
 * KOSDAQ's are the same, KONEX's lower.
 */
export function warningsOf(
  stock: Pick<Stock, 'kind' | 'price' | 'remainCount' | 'remainAmount' | 'expected' | 'frozen'>,
  settings: Settings,
  trades: readonly Trade[],
  day: string,
): Warning[] {
  const { kind, price, frozen } = stock
  const [lots, heldAmount] = [lotsOf(trades), heldAmountOf(stock)]
  const warnings = settingsWarnings({ settings, kind, market: 'KOSPI', lots, heldAmount, price, day })
  return frozen === null ? warnings : warnings.filter(({ code }) => code !== 'buysAtOnce' && code !== 'sellsAtOnce')
}

/** Shares that would be bought or sold in the next second. */
export const doneAtOnce = (warnings: readonly Warning[], code: 'buysAtOnce' | 'sellsAtOnce'): number =>
  warnings.find((warning) => warning.code === code)?.value ?? 0

/** `isOn`: whether the stock is sold automatically already. */
export function warningText({ code, value }: Warning, isOn: boolean): string {
  switch (code) {
    case 'losingTarget':
      return `목표가에 팔아도 수수료와 세금을 빼면 손해입니다. 매도 비율을 ${value}%보다 높게 정해 주세요.`
    case 'unitAboveCap':
      return `1회 매수 금액이 최대 매수 금액 이상이라, 첫 매수 한 번에 ${won(value)}까지 모두 쓸 수 있습니다.`
    case 'floorAboveBuys':
      return `최저 매도가 ${won(value)}이 최고 매수가에 산 것의 목표가보다 높습니다. 값이 거기까지 오르기 전에는 아무것도 팔지 않습니다.`
    case 'buysAtOnce':
      return `지금 가격이 다음 매수가보다 높지 않아, 저장하면 ${number(value)}주를 바로 삽니다.`
    case 'sellsAtOnce':
      return `지금 ${isOn ? '저장하면' : '켜면'} ${number(value)}주가 바로 팔립니다.`
  }
}

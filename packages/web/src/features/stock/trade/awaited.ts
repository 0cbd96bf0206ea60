import type { AwaitedShares, Stock } from '@digger/contract'
import { number, won } from '../../../format/won.ts'
import { averagePriceOf } from '../target.ts'

/** `새 주식 12주를 기다리고 있습니다 (원금 480,000원)`. */
export function awaitedText({ count, amount, ofPerson = 0 }: AwaitedShares): string {
  const own = ofPerson === 0 ? '' : `, 직접 관리하는 주식 몫 ${number(ofPerson)}주`
  return `새 주식 ${number(count)}주를 기다리고 있습니다 (원금 ${won(amount)}${own})`
}

/** What becomes of the money, for the last question. */
export function givenUpText(stock: Pick<Stock, 'remainCount' | 'remainAmount'>, awaited: AwaitedShares): string {
  const { count, amount, ofPerson = 0 } = awaited
  const own = ofPerson === 0 ? '' : ` 직접 관리하는 주식에 더해질 ${number(ofPerson)}주도 더 기다리지 않습니다.`
  const late = '나중에라도 들어오면 잔고를 맞춰 장부에 넣어야 합니다.'
  return `받을 주식 ${number(count)}주를 지웁니다. ${moneyText(stock, awaited, amount)}${own} 되돌릴 수 없습니다. ${late}`
}

function moneyText(stock: Pick<Stock, 'remainCount' | 'remainAmount'>, { trades }: AwaitedShares, amount: number) {
  if (amount === 0) return '거기 든 원금은 없습니다.'
  if (trades === 0)
    return `그 값을 낸 매매가 모두 팔려, 원금 ${won(amount)}을 오늘의 손실로 적습니다. 오늘 손익과 손실 한도에 들어갑니다.`
  const { remainCount, remainAmount } = stock
  const after = averagePriceOf({ remainCount, remainAmount: remainAmount + amount })
  const average = `이 종목의 평균 단가는 ${won(averagePriceOf(stock))}에서 ${won(after)}이 됩니다.`
  return `원금 ${won(amount)}이 남은 매매 ${number(trades)}건의 원가로 돌아갑니다. ${average} 목표가도 그만큼 올라, 자동 매도 주문을 거두고 새 목표가로 다시 냅니다. 평가 손실도 그만큼 늘어 손실 한도에 닿으면 매수가 멈춥니다.`
}

import type { Adjustment, BaseMove, ExpectedShares } from '@digger/contract'
import { number, percent, won } from '../../../format/won.ts'

/** `지난 종가의 33.35%`. */
export const ratioText = ({ close, base }: BaseMove): string => `지난 종가의 ${percent((100 * base) / close)}`

interface PriceChange {
  readonly name: string
  readonly before: number
  readonly after: number | null
}

/** The prices of the settings that a person has set. */
export function priceChanges({ maxBuyPrice, lastBuyPrice, minSellPrice }: Adjustment): PriceChange[] {
  const prices = [
    ['최고 매수가', maxBuyPrice],
    ['마지막 매수가', lastBuyPrice],
    ['최저 매도가', minSellPrice],
  ] as const
  return prices.flatMap(([name, { before, after }]) => (before === null ? [] : [{ name, before, after }]))
}

/** Shares in the book, now and afterwards. */
export function sharesOf({ lots }: Adjustment): { before: number; after: number } {
  const sum = (when: 'before' | 'after') => lots.reduce((count, lot) => count + lot.count[when], 0)
  return { before: sum('before'), after: sum('after') }
}

/** What the numbers mean for the book and for what is still to come. */
export function outcomeTexts(adjustment: Adjustment): string[] {
  const { lots, held, kept, expected } = adjustment
  const { after } = sharesOf(adjustment)
  const gone = lots.filter(({ count }) => count.after === 0).length
  return [
    lots.length === 0 ? '보유한 매매가 없어 설정의 가격만 바뀝니다.' : agreementText(after, held - kept.after),
    ...(kept.before === kept.after
      ? []
      : [`직접 관리하는 주식은 ${number(kept.before)}주에서 ${number(kept.after)}주가 됩니다.`]),
    ...(gone === 0 ? [] : [`새 주식 1주가 되지 못한 매매 ${number(gone)}건은 돈으로 받은 것으로 보고 끝냅니다.`]),
    ...(expected === null ? [] : [comingText(expected)]),
  ]
}

function comingText({ count, amount, ofPerson = 0 }: ExpectedShares): string {
  const own = ofPerson === 0 ? '' : ` 직접 관리하는 주식에도 ${number(ofPerson)}주가 더해집니다.`
  return `새 주식 ${number(count)}주는 나중에 들어옵니다. 그 값 ${won(amount)}을 따로 적어 두었다가, 들어오면 장부에 넣습니다.${own}`
}

/** `ours`: shares at the broker without those the person keeps. */
function agreementText(after: number, ours: number): string {
  if (after === ours) return `조정한 뒤 장부와 증권사가 ${number(after)}주로 같습니다.`
  const held = ours < 0 ? '증권사는 직접 관리하는 수량보다도 적어' : `증권사는 ${number(ours)}주로`
  return `조정한 뒤 장부는 ${number(after)}주, ${held} 서로 다릅니다. 조정한 다음 잔고 확인이 필요합니다.`
}

/** The change in one line, for the last question. */
export function changeText(adjustment: Adjustment): string {
  const { before, after } = sharesOf(adjustment)
  return [
    ...(adjustment.lots.length === 0 ? [] : [`보유 ${number(before)}주 → ${number(after)}주`]),
    ...priceChanges(adjustment).map((price) => `${price.name} ${won(price.before)} → ${won(price.after)}`),
  ].join(', ')
}

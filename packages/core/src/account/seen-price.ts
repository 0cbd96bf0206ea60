import { won } from '../ladder/text.ts'

/** What a person saw before the press, won: the last price, and of a buy what a share may cost at worst. */
export interface SeenPrice {
  readonly price: number
  readonly worst?: number | undefined
}

/**
 * An order that fills at whatever price there is goes out only near the price its person saw, percent: less than the three that hold
 * automatic buys (decision 007), more than a quote of three seconds ago differs on an ordinary day.
 */
const SEEN_PERCENT = 2

/** Either way: with a lower price the same amount is of more shares, and of another moment of the market. */
export function buyChanged(seen: SeenPrice | undefined, price: number, worst: number): string | null {
  if (seen === undefined) return null
  if (Math.abs(price - seen.price) * 100 > seen.price * SEEN_PERCENT) return movedText(seen.price, price)
  if (seen.worst === undefined || worst <= seen.worst) return null
  return `한 주에 ${won(worst)}까지 들 수 있는 주문으로 바뀌었습니다(보신 것은 ${won(seen.worst)}까지). 화면의 값을 보고 다시 눌러 주세요.`
}

/** A better price than was seen is none to ask about. */
export function saleChanged(seen: SeenPrice | undefined, price: number | undefined): string | null {
  if (seen === undefined || price === undefined) return null
  return (seen.price - price) * 100 > seen.price * SEEN_PERCENT ? movedText(seen.price, price) : null
}

const movedText = (seen: number, price: number): string =>
  `보신 뒤로 값이 ${SEEN_PERCENT}% 넘게 바뀌었습니다(${won(seen)}에서 ${won(price)}으로). 화면의 값을 보고 다시 눌러 주세요.`

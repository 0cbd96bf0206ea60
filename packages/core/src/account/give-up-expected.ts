import { kstMidnight } from '../krx/kst.ts'
import { remainAmount, remainCount } from '../ladder/buy.ts'
import { perShareUp } from '../ladder/per-share.ts'
import { grouped } from '../ladder/text.ts'
import { recordSale } from './book-fill.ts'
import { done, refused, type CommandOf } from './command-result.ts'
import { heldNow, whileSaleWaits } from './corporate-action.ts'
import { SETTLE_FIRST } from './frozen.ts'
import { applyExecutions } from './ledger.ts'
import type { StepBuilder } from './step-builder.ts'
import type { CommandResult } from './step-types.ts'
import type { ExpectedShares, HeldLot, LotCost, Stock } from './types.ts'

/**
 * A person says that new shares of a corporate action never come: rights nobody took up, a fraction paid in cash. What was
 * kept for them goes back to the lots it came out of. Sells resting at the old targets are taken back and offered anew.
 */
export function giveUpExpected(
  builder: StepBuilder,
  { code, seen, lots, cost, snapshot }: CommandOf<'giveUpExpected'>,
  { issue }: Stock,
): CommandResult {
  applyExecutions(builder, snapshot)
  const stock = builder.stock(issue.code)
  if (stock === undefined || stock.expected === null) return NOTHING_EXPECTED
  if (stock.frozen !== null) return refused('CONFLICT', SETTLE_FIRST)
  const payers = lotsBehindExpected(stock)
  const arePayersSeen = payers.length === lots && remainAmount(payers) === cost
  if (!isSame(stock.expected, seen) || !arePayersSeen) return CHANGED_SINCE
  const waits = whileSaleWaits(builder, code)
  if (waits !== null) return waits
  const held = heldNow(builder, code, snapshot)
  if (typeof held !== 'number') return held
  // More shares may be the very ones that are given up here: a correction brings those in at what was kept for them.
  if (held - stock.kept !== remainCount(stock.lots)) return refused('CONFLICT', differText(stock, held))
  if (payers.length === 0) recordLoss(builder, stock, stock.expected)
  builder.record({ kind: 'expectedGivenUp', code, lots: costsWith(payers, stock.expected.amount) })
  return done
}

/**
 * Lots of the share of before, out of which came what is kept for shares to come. What was bought since never paid for those.
 * Nothing says of which move shares are expected, so the newest settled one counts: after a second move what was bought between
 * the two shares in the cost, though it paid nothing.
 */
export const lotsBehindExpected = ({
  lots,
  settledOn,
}: Pick<Stock, 'settledOn'> & { readonly lots: readonly HeldLot[] }): readonly HeldLot[] =>
  settledOn === null ? lots : lots.filter(({ boughtAt }) => boughtAt < kstMidnight(settledOn))

/** `amount` over the lots by what they cost, to the won: what rounding leaves is the last one's. */
export function costsWith(lots: readonly HeldLot[], amount: number): LotCost[] {
  // Gifts may have cost nothing at all.
  const byCost = remainAmount(lots) > 0
  const weightOf = (lot: HeldLot): number => (byCost ? lot.buyAmount : lot.count)
  let left = amount
  let weight = lots.reduce((sum, lot) => sum + weightOf(lot), 0)
  return lots.map((lot) => {
    const own = weightOf(lot)
    // Of whole won: the product passes 2^53. Of the last that has a weight it is all.
    const more = weight === 0 ? 0 : Number((BigInt(left) * BigInt(own)) / BigInt(weight))
    left -= more
    weight -= own
    const buyAmount = lot.buyAmount + more
    return { id: lot.id, buyAmount, buyPrice: perShareUp(buyAmount, lot.count) }
  })
}

/**
 * The lots that paid are sold, and their gains were too high by this. Not a sale nobody knows the price of, which would leave those
 * gains as they are: for nothing. What was paid in cash instead is in the account and in no trade.
 */
function recordLoss(builder: StepBuilder, stock: Stock, { count, amount }: ExpectedShares): void {
  if (amount === 0) return
  const { now } = builder.ctx
  // Only of a fraction, beside shares of the person's own, none was to come.
  const shares = Math.max(1, count)
  const boughtAt = stock.settledOn === null ? now : kstMidnight(stock.settledOn)
  const lot = {
    id: builder.book.nextLotId,
    count: shares,
    buyPrice: perShareUp(amount, shares),
    buyAmount: amount,
    boughtAt,
  }
  recordSale(builder, stock, lot, shares, { sellAmount: 0, soldBefore: 0, soldAt: now })
}

const NOTHING_EXPECTED = refused('CONFLICT', '받을 주식이 없습니다. 화면을 새로 고쳐 주세요.')

const CHANGED_SINCE = refused(
  'CONFLICT',
  '보신 뒤 받을 주식이나 그 값을 낸 매매가 바뀌었습니다. 화면을 새로 고쳐 다시 정해 주세요.',
)

const isSame = (a: ExpectedShares, b: ExpectedShares): boolean =>
  a.count === b.count && a.amount === b.amount && (a.ofPerson ?? 0) === (b.ofPerson ?? 0)

const differText = ({ lots, kept }: Stock, held: number): string =>
  `장부 ${grouped(remainCount(lots) + kept)}주, 증권사 ${grouped(held)}주로 서로 다릅니다. 받을 주식이 들어왔을 수 있으니 잔고를 먼저 맞춰 주세요.`

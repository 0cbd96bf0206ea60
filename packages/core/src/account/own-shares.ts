import { grouped } from '../ladder/text.ts'
import { done, refused, type CommandOf } from './command-result.ts'
import { askCancel, wantCancel } from './ordering.ts'
import { disarm } from './rearm.ts'
import { liveOrders, type StepBuilder } from './step-builder.ts'
import type { CommandResult } from './step-types.ts'
import type { Stock } from './types.ts'

/** Far above every holding. */
const MAX_SHARES = 1_000_000_000

/**
 * Shares a person keeps for themselves. Book and broker are compared anew before anything is automatic again; automatic sells
 * of more than before might be of those shares, so they are taken back until then.
 */
export function keepShares(
  builder: StepBuilder,
  { code, count }: CommandOf<'keepShares'>,
  stock: Stock,
): CommandResult {
  if (!(Number.isInteger(count) && count >= 0 && count <= MAX_SHARES))
    return refused('INVALID', `직접 관리하는 수량은 0주부터 ${grouped(MAX_SHARES)}주까지의 정수여야 합니다.`)
  if (count === stock.kept) return done
  builder.record({ kind: 'sharesKept', code, count })
  if (count > stock.kept) takeSellsBack(builder, code)
  disarm(builder)
  return done
}

/** Also those that cannot be cancelled yet: without a verdict, without a connection, or after a cancel that failed. */
export function takeSellsBack(builder: StepBuilder, code: string): void {
  for (const { id, side, origin } of liveOrders(builder.book, code)) {
    if (side === 'buy' || origin === 'person') continue
    wantCancel(builder, id)
    askCancel(builder, id)
  }
}

/** From now on lots that a correction took over are sold as their settings say: at once, where the target lies below the market. */
export function releaseLots(
  builder: StepBuilder,
  { code, lotIds }: CommandOf<'releaseLots'>,
  stock: Stock,
): CommandResult {
  const lots = stock.lots.filter((lot) => lotIds.includes(lot.id))
  if (lots.length !== lotIds.length)
    return refused('NOT_FOUND', '이미 팔렸거나 없는 매매입니다. 목록을 새로 고쳐 주세요.')
  const taken = lots.filter((lot) => lot.takenOver).map((lot) => lot.id)
  if (taken.length > 0) builder.record({ kind: 'lotsReleased', code, lotIds: taken })
  return done
}

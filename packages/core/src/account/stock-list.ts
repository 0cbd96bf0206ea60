import { dayEnds, tradingDayBefore } from '../krx/session.ts'
import { SETTING_NAMES, settingsProblems } from '../ladder/problems.ts'
import { releaseHeldBuys } from './apply-order.ts'
import { done, noStock, refused, type CommandOf } from './command-result.ts'
import { forgetSuspectedMismatch } from './compare.ts'
import { noteDue } from './delayed-orders.ts'
import { liveOrders, type StepBuilder } from './step-builder.ts'
import type { CommandResult } from './step-types.ts'
import type { Stock } from './types.ts'

/** Adds the stock, or saves its settings. */
export function updateStock(
  builder: StepBuilder,
  { code, version, settings, listing }: CommandOf<'updateStock'>,
): CommandResult {
  const stock = builder.stock(code)
  const problems = settingsProblems(settings).map(({ field, text }) => `${SETTING_NAMES[field]}: ${text}`)
  if (problems.length > 0) return refused('INVALID', problems.join('\n'))
  if (stock === undefined) {
    if (listing === null) return noStock(code)
    const { now, timetable } = builder.ctx
    const isOpen = now >= dayEnds(builder.book.day, timetable).opens
    builder.record({
      kind: 'stockAdded',
      code,
      name: listing.name,
      issue: listing.issue,
      settings,
      // Before the open nobody can have seen whether the base has moved: its prices are of the share of the day before.
      settledOn: isOpen ? builder.book.day : tradingDayBefore(builder.book.day, timetable),
    })
    if (builder.book.shadow) builder.record({ kind: 'stockShadowed', code, shadow: true })
    return done
  }
  if (version !== null && version !== stock.version) {
    return refused('CONFLICT', '그사이 종목 설정이 바뀌었습니다. 새로 고친 뒤 다시 저장해 주세요.')
  }
  builder.record({ kind: 'settingsSaved', code, settings })
  releaseHeldBuys(builder, code)
  return done
}

export function deleteStock(builder: StepBuilder, stock: Stock): CommandResult {
  if (stock.lots.length > 0) return refused('CONFLICT', '보유 중인 매매가 있어 지울 수 없습니다. 먼저 팔아 주세요.')
  if (liveOrders(builder.book, stock.issue.code).length > 0) {
    return refused('CONFLICT', '미체결 주문이 있어 지울 수 없습니다. 먼저 취소해 주세요.')
  }
  builder.record({ kind: 'stockRemoved', code: stock.issue.code })
  noteDue(builder, `buy ${stock.issue.code}`, false)
  // Else the holdings would be read for it every few seconds.
  forgetSuspectedMismatch(builder, stock.issue.code)
  return done
}

/** From now on nothing of it is sent, or its settings decide as before. Settings and lots stay as they are. */
export function setShadow(builder: StepBuilder, { code, shadow }: CommandOf<'setShadow'>): CommandResult {
  if (code !== null && builder.stock(code) === undefined) return noStock(code)
  for (const stock of builder.book.stocks.values())
    if ((code === null || code === stock.issue.code) && stock.shadow !== shadow)
      builder.record({ kind: 'stockShadowed', code: stock.issue.code, shadow })
  if (code === null && builder.book.shadow !== shadow) builder.record({ kind: 'newStocksShadowed', shadow })
  return done
}

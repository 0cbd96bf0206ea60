import { settingsProblems } from '../ladder/problems.ts'
import { done, noStock, refused, type CommandOf } from './command-result.ts'
import { marketBuy } from './market-buy.ts'
import { checkBalance } from './check-balance.ts'
import { keepPrices, settleBaseMove } from './corporate-action.ts'
import { endOrder } from './end-order.ts'
import { holdBack } from './hold-back.ts'
import { isLive } from './order-status.ts'
import { setLimits } from './limits/watch.ts'
import { askCancel } from './ordering.ts'
import { keepShares, releaseLots } from './own-shares.ts'
import { dropPendingSales } from './pending-sales.ts'
import { disarm } from './rearm.ts'
import { handleSaleCommand } from './sale-commands.ts'
import { liveOrders, type StepBuilder } from './step-builder.ts'
import type { AccountCommand, CommandResult } from './step-types.ts'
import type { Order, Stock } from './types.ts'
import { isUnlisted } from './unlisted.ts'

/** What a person asked. Null: the result comes later, when older orders are out of the way. */
export function handleCommand(builder: StepBuilder, ticket: number, command: AccountCommand): CommandResult | null {
  switch (command.kind) {
    case 'updateStock':
      return updateStock(builder, command)
    case 'setStop':
      return setStop(builder, command)
    case 'setLimits': {
      const problem = setLimits(builder, command.change)
      return problem === null ? done : refused('INVALID', problem)
    }
    case 'cancelOrders':
      dropPendingSales(builder, command.code)
      return cancelOrders(builder, (order) => command.code === null || order.code === command.code)
    case 'cancelOrder':
      return cancelOne(builder, command)
    case 'checkBalance':
    case 'fixBalance':
      return checkBalance(builder, command)
    default: {
      const stock = builder.stock(command.code)
      return stock === undefined ? noStock(command.code) : handleStockCommand(builder, ticket, stock, command)
    }
  }
}

function handleStockCommand(
  builder: StepBuilder,
  ticket: number,
  stock: Stock,
  command: Exclude<
    AccountCommand,
    CommandOf<'updateStock' | 'setStop' | 'setLimits' | 'cancelOrders' | 'cancelOrder' | 'checkBalance' | 'fixBalance'>
  >,
): CommandResult | null {
  const { code } = stock.issue
  switch (command.kind) {
    case 'deleteStock':
      return deleteStock(builder, stock)
    case 'setSubscribed':
      builder.record({ kind: 'subscribed', code, subscribed: command.subscribed })
      return done
    case 'applyOrder':
      return applyOrder(builder, stock)
    case 'marketBuy':
      return marketBuy(builder, stock, command)
    case 'keepShares':
      return keepShares(builder, command, stock)
    case 'releaseLots':
      return releaseLots(builder, command, stock)
    case 'adjustStock':
      return settleBaseMove(builder, command, stock)
    case 'keepStock':
      return keepPrices(builder, command, stock)
    default:
      return handleSaleCommand(builder, ticket, stock, command)
  }
}

/** Nothing is "done" that nobody could send. */
const cannotSend = refused(
  'CONFLICT',
  '지금은 증권사와 이어져 있지 않아 취소를 보내지 못했습니다. 이어지는 대로 취소합니다.',
)

function updateStock(
  builder: StepBuilder,
  { code, version, settings, listing }: CommandOf<'updateStock'>,
): CommandResult {
  const stock = builder.stock(code)
  const [problem] = settingsProblems(settings)
  if (problem !== undefined) return refused('INVALID', `${problem.field}: ${problem.text}`)
  if (stock === undefined) {
    if (listing === null) return noStock(code)
    builder.record({
      kind: 'stockAdded',
      code,
      name: listing.name,
      issue: listing.issue,
      settings,
      settledOn: builder.book.day,
    })
    return done
  }
  if (version !== null && version !== stock.version) {
    return refused('CONFLICT', '그사이 종목 설정이 바뀌었습니다. 새로 고친 뒤 다시 저장해 주세요.')
  }
  builder.record({ kind: 'settingsSaved', code, settings })
  releaseHeldBuys(builder, code)
  return done
}

function deleteStock(builder: StepBuilder, stock: Stock): CommandResult {
  if (stock.lots.length > 0) return refused('CONFLICT', '보유 중인 매매가 있어 지울 수 없습니다. 먼저 팔아 주세요.')
  if (liveOrders(builder.book, stock.issue.code).length > 0) {
    return refused('CONFLICT', '미체결 주문이 있어 지울 수 없습니다. 먼저 취소해 주세요.')
  }
  builder.record({ kind: 'stockRemoved', code: stock.issue.code })
  return done
}

function setStop(builder: StepBuilder, { level, code, stop }: CommandOf<'setStop'>): CommandResult {
  if (level === 'user') {
    builder.record({ kind: 'userStopped', stop })
    return done
  }
  const stock = code === null ? undefined : builder.stock(code)
  if (code === null || stock === undefined) return noStock(code ?? '')
  builder.record({ kind: 'stockStopped', code, stop })
  // By starting again a person confirms that the trouble was looked at; a difference in shares needs a fix instead.
  if (stop === 'active' && stock.blocked?.code === 'rejects')
    builder.record({ kind: 'stockBlocked', code, blocked: null })
  return done
}

/** Makes the broker match the settings, now: the planner does the work once everything that held it back is cleared. */
function applyOrder(builder: StepBuilder, stock: Stock): CommandResult {
  const { code } = stock.issue
  const heldBack = stock.lots.filter((lot) => lot.heldBack).map((lot) => lot.id)
  if (heldBack.length > 0) builder.record({ kind: 'lotsHeldBack', code, lotIds: heldBack, heldBack: false })
  releaseHeldBuys(builder, code)
  // A person looked: what the broker does not list is over; should it fill after all, the fill is still booked.
  for (const order of liveOrders(builder.book, code)) {
    if (isUnlisted(builder.view, order.id))
      endOrder(builder, order, 'cancelled', '증권사 목록에 없어 사람이 끝난 것으로 보았습니다.')
  }
  if (stock.blocked === null || stock.blocked.code === 'mismatch') return done
  // A person looked. An order without a verdict is still not given up: of several equal ones the likeliest is taken as ours.
  const lost = liveOrders(builder.book, code).filter((order) => order.status === 'unknown')
  if (lost.length > 0)
    builder.patchView({
      orders: {
        operatorConfirmed: new Set([...builder.view.orders.operatorConfirmed, ...lost.map((order) => order.id)]),
      },
    })
  builder.record({ kind: 'stockBlocked', code, blocked: null })
  disarm(builder)
  return done
}

function releaseHeldBuys(builder: StepBuilder, code: string): void {
  if (!builder.view.stocks.heldBuys.has(code)) return
  builder.patchView({ stocks: { heldBuys: new Set([...builder.view.stocks.heldBuys].filter((one) => one !== code)) } })
}

/** Orders that cannot be cancelled yet (no verdict, no connection) are cancelled as soon as they can be. */
function cancelOrders(builder: StepBuilder, wanted: (order: Order) => boolean): CommandResult {
  let unsent = false
  for (const order of builder.book.orders.values()) {
    if (!isLive(order.status) || !wanted(order)) continue
    builder.patchView({ orders: { unwanted: new Set(builder.view.orders.unwanted).add(order.id) } })
    if (!askCancel(builder, order.id) && order.status === 'open' && !builder.view.connection.authorised) unsent = true
    // Else the next price would buy again what a person just took back.
    holdBack(builder, order)
  }
  return unsent ? cannotSend : done
}

/** An order without a broker number is cancelled, too: it does not leave any more, or as soon as its number is known. */
function cancelOne(builder: StepBuilder, asked: CommandOf<'cancelOrder'>): CommandResult {
  const isAsked = (one: Order): boolean =>
    'id' in asked ? one.id === asked.id : one.odno === asked.odno && one.day === builder.book.day
  const order = [...builder.book.orders.values()].find(isAsked)
  if (order === undefined)
    return refused('NOT_FOUND', '그런 미체결 주문이 없습니다. 이미 체결되었거나 취소되었는지 확인해 주세요.')
  if (order.status === 'cancelling') return done
  if (!isLive(order.status)) return refused('CONFLICT', '이미 끝난 주문입니다. 주문 목록을 새로 고쳐 주세요.')
  return cancelOrders(builder, (one) => one.id === order.id)
}

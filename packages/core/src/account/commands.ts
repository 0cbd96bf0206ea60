import { dayEnds } from '../krx/session.ts'
import { applyOrder, releaseHeldBuys } from './apply-order.ts'
import { settingsProblems } from '../ladder/problems.ts'
import { cancelOne, cancelOrders } from './cancel-commands.ts'
import { done, noStock, refused, type CommandOf } from './command-result.ts'
import { marketBuy } from './market-buy.ts'
import { checkBalance } from './check-balance.ts'
import { keepPrices, settleBaseMove } from './corporate-action.ts'
import { setLimits } from './limits/watch.ts'
import { keepShares, releaseLots } from './own-shares.ts'
import { dismissOtherServer } from './other-server.ts'
import { dropPendingSales } from './pending-sales.ts'
import { handleSaleCommand } from './sale-commands.ts'
import { liveOrders, type StepBuilder } from './step-builder.ts'
import type { AccountCommand, CommandResult } from './step-types.ts'
import type { Stock } from './types.ts'

/** What a person asked. Null: the result comes later, when older orders are out of the way. */
export function handleCommand(builder: StepBuilder, ticket: number, command: AccountCommand): CommandResult | null {
  switch (command.kind) {
    case 'updateStock':
      return updateStock(builder, command)
    case 'setStop':
      return setStop(builder, command)
    case 'setVenues':
      builder.record({ kind: 'venuesChosen', venues: command.venues })
      return done
    case 'dismissOtherServer':
      return dismissOtherServer(builder)
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
    CommandOf<
      | 'updateStock'
      | 'setStop'
      | 'setVenues'
      | 'dismissOtherServer'
      | 'setLimits'
      | 'cancelOrders'
      | 'cancelOrder'
      | 'checkBalance'
      | 'fixBalance'
    >
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

function updateStock(
  builder: StepBuilder,
  { code, version, settings, listing }: CommandOf<'updateStock'>,
): CommandResult {
  const stock = builder.stock(code)
  const [problem] = settingsProblems(settings)
  if (problem !== undefined) return refused('INVALID', `${problem.field}: ${problem.text}`)
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
      // Before the open nobody can have seen whether the base has moved: its prices may be of the share of yesterday.
      ...(isOpen ? { settledOn: builder.book.day } : {}),
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

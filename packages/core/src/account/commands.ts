import { applyOrder, confirmRejects } from './apply-order.ts'
import { cancelOne, cancelOrders, stopAll } from './cancel-commands.ts'
import { done, noStock, refused, type CommandOf } from './command-result.ts'
import { marketBuy } from './market-buy.ts'
import { checkBalance } from './check-balance.ts'
import { handleActionCommand } from './corporate-action-commands.ts'
import { setFirstDays, setLimits } from './limits/watch.ts'
import { keepShares, releaseLots } from './own-shares.ts'
import { dismissOtherServer } from './other-server.ts'
import { dropPendingSales } from './pending-sales.ts'
import { handleSaleCommand } from './sale-commands.ts'
import type { StepBuilder } from './step-builder.ts'
import type { AccountCommand, CommandResult } from './step-types.ts'
import { deleteStock, setShadow, updateStock } from './stock-list.ts'
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
    case 'setShadow':
      return setShadow(builder, command)
    case 'dismissOtherServer':
      return dismissOtherServer(builder, command.connected === true)
    case 'setLimits':
      return settled(setLimits(builder, command.change))
    case 'setFirstDays':
      return settled(setFirstDays(builder, command.rule))
    case 'cancelOrders':
      dropPendingSales(builder, command.code)
      return cancelOrders(builder, (order) => command.code === null || order.code === command.code)
    case 'cancelOrder':
      return cancelOne(builder, command)
    case 'stopAll':
      return stopAll(builder, command)
    case 'checkBalance':
    case 'fixBalance':
      return checkBalance(builder, command)
    default: {
      const stock = builder.stock(command.code)
      return stock === undefined ? noStock(command.code) : handleStockCommand(builder, ticket, stock, command)
    }
  }
}

const settled = (problem: string | null): CommandResult => (problem === null ? done : refused('INVALID', problem))

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
      | 'setShadow'
      | 'dismissOtherServer'
      | 'setLimits'
      | 'setFirstDays'
      | 'cancelOrders'
      | 'cancelOrder'
      | 'stopAll'
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
    case 'keepStock':
    case 'giveUpExpected':
      return handleActionCommand(builder, command, stock)
    default:
      return handleSaleCommand(builder, ticket, stock, command)
  }
}

function setStop(builder: StepBuilder, { level, code, stop }: CommandOf<'setStop'>): CommandResult {
  if (level === 'user') {
    builder.record({ kind: 'userStopped', stop })
    return done
  }
  const stock = code === null ? undefined : builder.stock(code)
  if (code === null || stock === undefined) return noStock(code ?? '')
  builder.record({ kind: 'stockStopped', code, stop })
  if (stop === 'active') confirmRejects(builder, stock)
  return done
}

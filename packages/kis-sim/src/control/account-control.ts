import type { Side } from '@digger/core'
import type { Broker } from '../broker/broker.ts'
import { byPhone } from '../broker/phone.ts'
import type { Account, SimOrder } from '../ledger/account.ts'
import type { Sim, SimHolding } from './sim-control.ts'

type AccountControl = Pick<
  Sim,
  | 'addAccount'
  | 'setCash'
  | 'setHolding'
  | 'orders'
  | 'liveOrders'
  | 'holdings'
  | 'cash'
  | 'trueEvents'
  | 'outsideTrade'
  | 'byPhone'
>

/** The true state of accounts, and changes to it that bypass the wire. */
export function accountControl(broker: Broker): AccountControl {
  const { clock, ledger } = broker
  const account = (number: string): Account => ledger.account(number)
  return {
    addAccount: (spec) => void ledger.open(clock.now(), spec),
    setCash: (number, cash) => ledger.set(clock.now(), number, { cash }),
    setHolding: (number, code, count, averagePrice) =>
      ledger.set(clock.now(), number, { holding: { code, count, averagePrice } }),
    orders: (number) => account(number).orders,
    liveOrders: (number) => [...account(number).live],
    holdings: (number) => holdingsOf(account(number)),
    cash: (number) => {
      const { truth } = account(number)
      return { deposit: truth.deposit, settled: truth.cash(), orderable: account(number).orderable() }
    },
    trueEvents: (number) => account(number).facts,
    outsideTrade: (number, trade) => outsideTrade(broker, number, trade),
    byPhone: (number, act) => {
      const order = byPhone(broker, account(number), act)
      if ('real' in order) throw new Error(order.real.join(' '))
      return order
    },
  }
}

const holdingsOf = (account: Account): SimHolding[] =>
  [...account.truth.positions.values()]
    .filter(({ count }) => count > 0)
    .map(({ code, count, cost }) => ({
      code,
      count,
      sellable: count - account.locked(code),
      averagePrice: cost / count,
    }))

function outsideTrade(
  { exchange, ledger, clock }: Broker,
  account: string,
  { code, side, count, price }: { code: string; side: Side; count: number; price: number },
): SimOrder {
  const issue = exchange.issue(code)
  const order = ledger.accept(clock.now(), {
    account,
    code,
    side,
    count,
    price,
    reservedPrice: price,
    trigger: 0,
    original: null,
    change: null,
    division: '00',
    venue: 'KRX',
    routed: 'KRX',
  })
  ledger.fill(clock.now(), order, issue.listing, price, count)
  return order
}

import { floorToTick, isDay } from '@digger/core'
import type { Candle, Happening } from '@digger/kis-sim'
import type { Desk } from './plan.ts'

/** A share that becomes another one in the middle of a record. */
export interface NewShare {
  readonly code: string
  /** First day of the new share. */
  readonly day: string
  /** Shares after for each one before. */
  readonly ratio: number
  /** When they are in the accounts; of a split the same day. */
  readonly creditDay: string
  /** Default: a split where they come the same day, else a bonus issue. */
  readonly as?: 'rightsIssue' | 'stockDividend'
}

/** The record as it would have been: from its day on the prices of the new share, and as many more of them traded. */
export const withNewShares = (candles: readonly Candle[], shares: readonly NewShare[]): Candle[] =>
  candles.map((candle) =>
    shares.reduce((now, { code, day, ratio }) => (now.code === code && now.day >= day ? of(now, ratio) : now), candle),
  )

function of(candle: Candle, ratio: number): Candle {
  const price = (won: number): number => Math.max(1, floorToTick(won / ratio, 'stock'))
  const { open, high, low, close, volume } = candle
  return {
    ...candle,
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
    volume: Math.round(volume * ratio),
  }
}

export const actionsOf = (shares: readonly NewShare[]): Happening[] =>
  shares.map(({ code, day, ratio, creditDay, as }) => ({
    kind: 'corporateAction',
    as: as ?? (creditDay === day ? 'split' : 'bonusIssue'),
    code,
    exDay: day,
    creditDay,
    ratio,
    paid: 0,
  }))

/** `CODE:DAY:RATIO[:CREDITDAY]`; throws on anything else. */
export function readNewShare(text: string): NewShare {
  const [code = '', day = '', ratio = '', creditDay = day, more] = text.split(':')
  const isGood = isDay(day) && isDay(creditDay) && Number(ratio) > 0 && more === undefined
  if (!isGood) throw new Error(`${text}: CODE:DAY:RATIO or CODE:DAY:RATIO:CREDITDAY, days as YYYYMMDD`)
  return { code, day, ratio: Number(ratio), creditDay }
}

/** An owner who settles each frozen stock at once. `report` gets what lay before them in that moment. */
export function settleMoves(how: 'adjust' | 'keep', report: (line: string) => void) {
  return async (desk: Desk, day: string): Promise<void> => {
    const { sim, account } = desk
    for (const { issue, frozen } of desk.book().stocks.values()) {
      if (frozen === null) continue
      const { code } = issue
      const isOf = (order: { readonly code: string }): boolean => order.code === code
      const live = sim.liveOrders(account).filter(isOf).length
      const made = sim.orders(account).filter((order) => isOf(order) && order.day === day).length
      report(`${day} ${code}: ${frozen.close} → ${frozen.base}, ${live} live orders, ${made} made`)
      const held = sim.holdings(account).find((holding) => holding.code === code)?.count ?? 0
      await desk.call('POST', `/api/user/stock/${code}/adjust`, { day: frozen.day, how, held })
    }
  }
}

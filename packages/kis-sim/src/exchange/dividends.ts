import { addDays, kstInstant } from '@digger/core'
import { countBefore, isPaid } from '../ledger/entitled.ts'
import type { Exchange } from './exchange.ts'
import type { HappeningOf } from './happening.ts'
import type { Step } from './step.ts'

/** When the money of a dividend is in the deposit, on the first open day from `payDay` on. */
const PAID_AT = '090000'

/** Paid once, however often the market starts: what an account was paid is in its facts. */
export function dividend(exchange: Exchange, { code, exDay, payDay, won }: HappeningOf<'dividend'>): Step[] {
  const { hours, ledger, clock } = exchange.options
  exchange.issue(code)
  if (payDay <= exDay) throw new RangeError('a dividend is paid after its ex-day')
  let day = payDay
  while (!hours.isOpenDay(day)) day = addDays(day, 1)
  const pay = (): void => {
    for (const account of ledger.accounts.values()) {
      const count = countBefore(account, code, exDay)
      if (count > 0 && !isPaid(account, code, exDay)) {
        ledger.payDividend(clock.now(), account, { code, exDay, count, gross: Math.floor(count * won) })
      }
    }
  }
  return [{ at: kstInstant(day, PAID_AT), run: pay }]
}

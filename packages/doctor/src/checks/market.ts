import type { Check } from '../check.ts'
import { announcementsCheck } from './announcements.ts'
import { basePriceCheck } from './base-price.ts'
import { bookCheck } from './book.ts'
import { dayCandlesCheck } from './candles.ts'
import { holidaysCheck } from './holidays.ts'
import { minuteCandlesCheck } from './minutes.ts'
import { priceCheck } from './price.ts'
import { stockInfoCheck } from './stock-info.ts'

/** In this order: later ones compare with what earlier ones found. */
export const MARKET_CHECKS: readonly Check[] = [
  stockInfoCheck,
  priceCheck,
  bookCheck,
  dayCandlesCheck,
  basePriceCheck,
  minuteCandlesCheck,
  holidaysCheck,
  announcementsCheck,
]

import type { Stock } from '@digger/contract'

/** What an event of prices brings. */
const PRICE_FIELDS: ReadonlySet<string> = new Set(['price', 'priceAt', 'basePrice'] satisfies (keyof Stock)[])

/** For parts of a card that show no price: a stock with a new one keeps all else as the very same objects. */
export function isSameBesidePrice<P extends { stock: Stock }>(
  { stock: old, ...oldProps }: P,
  { stock: next, ...nextProps }: P,
): boolean {
  return hasSame(oldProps, nextProps, () => true) && hasSame(old, next, (name) => !PRICE_FIELDS.has(name))
}

const hasSame = <T extends object>(old: T, next: T, counts: (name: string) => boolean): boolean => {
  for (const name in next) if (counts(name) && old[name] !== next[name]) return false
  return true
}

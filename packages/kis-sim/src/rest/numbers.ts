/** Numbers travel as text. */
export const whole = (n: number): string => String(Math.round(n))

export const decimals = (n: number, places: number): string => (Number.isFinite(n) ? n : 0).toFixed(places)

/** Change of a price as the broker writes it: 1 upper limit, 2 up, 3 flat, 4 lower limit, 5 down. */
export function changeSign(price: number, base: number, limits?: { lower: number; upper: number }): string {
  if (price > base) return limits && price >= limits.upper ? '1' : '2'
  if (price < base) return limits && price <= limits.lower ? '4' : '5'
  return '3'
}

export const percent = (part: number, of: number): number => (of === 0 ? 0 : (part / of) * 100)

/** Signed change, sign and percent against a base. */
export function change(price: number, base: number, limits?: { lower: number; upper: number }) {
  return {
    prdy_vrss: whole(price - base),
    prdy_vrss_sign: changeSign(price, base, limits),
    prdy_ctrt: decimals(percent(price - base, base), 2),
  }
}

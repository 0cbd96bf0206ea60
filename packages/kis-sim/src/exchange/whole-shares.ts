/** 0.2 of ten shares are two, whatever binary fractions make of it. */
const TINY = 1e-9

/** The whole ones of so many shares, and the part of a share that is left. */
export function wholeShares(exact: number): { readonly count: number; readonly part: number } {
  const count = Math.floor(exact + TINY)
  return { count, part: Math.max(0, exact - count) }
}

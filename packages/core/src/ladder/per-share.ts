/**
 * Whole won per share of an amount, for at least one share. What shares cost is rounded up, so that a target made from it is
 * never below what was paid; lists of executed orders show their averages rounded up, too (spec 3).
 */
export const perShareUp = (amount: number, count: number): number => Math.ceil(amount / count)

/** As `perShareUp`, for what shares brought: rounded down, so that no sale looks better than it was. */
export const perShareDown = (amount: number, count: number): number => Math.floor(amount / count)

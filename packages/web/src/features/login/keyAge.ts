const DAY_MS = 86_400_000
/** The broker's keys last a year; a month is enough to get others. */
const OLD_DAYS = 335

/** Whole days since keys were stored. */
export const keyDays = (storedAt: string, now: number): number =>
  Math.max(0, Math.floor((now - Date.parse(storedAt)) / DAY_MS))

export const isOldKey = (days: number): boolean => days >= OLD_DAYS

const KST_MS = 9 * 3_600_000

/** The day in Korea, `YYYYMMDD`. */
export const koreanDay = (at: number): string => new Date(at + KST_MS).toISOString().slice(0, 10).replaceAll('-', '')

/** The begin of a Korean day, epoch ms. */
export const dayBegins = (day: string): number => instantOf(day, '000000')

/** `YYYYMMDD` and `HHMMSS` in Korea as epoch ms; NaN for what no clock shows. */
export function instantOf(day: string, time: string): number {
  const date = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`
  return Date.parse(`${date}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}+09:00`)
}

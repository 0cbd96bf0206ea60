import type { BrokerQueries } from '@digger/engine'
import { type Bar, minuteNumber, timeOf } from './bar.ts'

/** All trading of a day is over by then. */
const DAY_END = '200000'
/** Of a day from midnight to midnight, 120 a call: more are a broker that answers the same again and again. */
const MAX_PAGES = 12

export type MinuteQueries = Pick<BrokerQueries, 'pastMinutes'>

/** All minutes of an earlier day, oldest first, one call after the other. */
export async function readMinutesOf(
  kis: MinuteQueries,
  code: string,
  day: string,
  wait: (calls: number) => Promise<void>,
): Promise<Bar[]> {
  const bars = new Map<number, Bar>()
  let until = DAY_END
  for (let page = 0; page < MAX_PAGES; page += 1) {
    await wait(1)
    const { candles, isLast } = await kis.pastMinutes(code, day, until)
    for (const { time, open, high, low, close, volume } of candles) {
      const at = minuteNumber(time ?? until)
      bars.set(at, { at, open, high, low, close, volume, traded: close })
    }
    const first = candles[0]?.time
    if (isLast || first == null || first > until || minuteNumber(first) === 0) break
    until = timeOf(minuteNumber(first) - 1)
  }
  return [...bars.values()].sort((a, b) => a.at - b.at)
}

import { showDay } from '../../../format/day.ts'
import { number, signedWon } from '../../../format/won.ts'
import type { Frame, Traded } from './protocol.ts'

/** `20260314` → 2026-03-14, of minutes 03-14 09:31. */
export const timeText = (time: string): string =>
  time.length > 8 ? `${time.slice(4, 6)}-${time.slice(6, 8)} ${time.slice(8, 10)}:${time.slice(10, 12)}` : showDay(time)

export const gainText = (gain: number): string => signedWon(gain)

const counted = (count: number | undefined, what: string): string[] =>
  count === undefined || count === 0 ? [] : [`${what} ${number(count)}번`]

/** What a place of the chart stands for. */
export function placeText({ times, close }: Frame, { buys, sells, worse, better }: Traded, at: number): string {
  const [low = 0, high = 0] = [worse[at], better[at]]
  const gain = low === high ? gainText(low) : `${gainText(low)} ~ ${gainText(high)}`
  return [
    `${timeText(times[at] ?? '')}부터`,
    `종가 ${number(close[at] ?? 0)}`,
    ...counted(buys[at], '산 것'),
    ...counted(sells[at], '판 것'),
    `합계 ${gain}`,
  ].join(' · ')
}

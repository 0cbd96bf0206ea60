import type { Morning, MorningSummary } from '@digger/contract'
import { kstIso, morningState, type Book, type MorningIdle, type MorningItem } from '@digger/core'

/** The check as people see it: stocks by their names. */
export const morningView = ({ stocks }: Book, items: readonly MorningItem[], idle: MorningIdle | null): Morning => ({
  state: morningState(items),
  ...(idle !== null && { idle }),
  items: items.map(({ item, state, since, text, codes }) => ({
    item,
    state,
    since: since === null || since <= 0 ? null : kstIso(since),
    text,
    stocks: codes.map((code) => ({ code, name: stocks.get(code)?.name ?? code })),
  })),
})

/** As the administrators' list shows it. */
export function morningSummary(items: readonly MorningItem[], idle: MorningIdle | null): MorningSummary {
  const red = items.filter(({ state }) => state === 'red')
  const text = red[0]?.text ?? null
  return { state: morningState(items), ...(idle !== null && { idle }), red: red.length, text }
}

import type { Plan } from './planned.ts'

/** What is kept of a seed's plan: places in its lists, and instants. null: all of it, or as planned. */
export interface Part {
  readonly faults: readonly number[] | null
  readonly presses: readonly number[] | null
  /** Counted over all people; a stock that is not kept is never saved, its market goes on. */
  readonly stocks: readonly number[] | null
  /** Ms since the start: no fault lasts longer, nobody presses later. */
  readonly calmAt: number | null
  readonly endAt: number | null
}

export const WHOLE: Part = { faults: null, presses: null, stocks: null, calmAt: null, endAt: null }

/** The plan without what is left out; every other draw stays as it was. */
export function partOf(plan: Plan, part: Part): Plan {
  const calmAt = part.calmAt ?? plan.calmAt
  let place = 0
  return {
    ...plan,
    calmAt,
    endAt: part.endAt ?? plan.endAt,
    faults: kept(plan.faults, part.faults).filter(({ at, forMs }) => at + forMs <= calmAt),
    presses: kept(plan.presses, part.presses).filter(({ at }) => at <= calmAt),
    accounts: plan.accounts.map(({ stocks }) => ({
      stocks: stocks.map((stock) => ({ ...stock, isSaved: part.stocks?.includes(place++) ?? true })),
    })),
  }
}

const kept = <T>(list: readonly T[], places: readonly number[] | null): readonly T[] =>
  places === null ? list : list.filter((_, place) => places.includes(place))

/** What a person types to run this part of a seed again. */
export function commandOf(seed: number, part: Part): string {
  const lists = places('faults', part.faults) + places('presses', part.presses) + places('stocks', part.stocks)
  return `npm run prove -- whole --seed ${seed}${lists}${instant('calm-at', part.calmAt)}${instant('end-at', part.endAt)}`
}

const places = (name: string, list: readonly number[] | null): string =>
  list === null ? '' : ` --${name} ${list.length === 0 ? 'none' : list.join(',')}`

const instant = (name: string, ms: number | null): string => (ms === null ? '' : ` --${name} ${ms}`)

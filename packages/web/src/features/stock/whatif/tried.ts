import type { Stock } from '@digger/contract'
import { settingsProblems, type Settings } from '@digger/core'
import { useCallback, useMemo, useState } from 'react'
import { draftOf, numbersOf, settingsOf, type Draft } from '../draft.ts'
import { mapCentre, mapSizes } from './percents.ts'
import type { Axes } from './rehearsalStore.ts'

/** Sizes of the steps down and up, without signs; percent. */
export interface Steps {
  readonly down: number
  readonly up: number
}

export const stepsOf = ({ buyPercent, sellPercent }: Pick<Settings, 'buyPercent' | 'sellPercent'>): Steps => ({
  down: -buyPercent,
  up: sellPercent,
})

export const withSteps = (settings: Settings, { down, up }: Steps): Settings => ({
  ...settings,
  buyPercent: -down,
  sellPercent: up,
})

/** The ladder begins anew in the past: where it stands now says nothing there. */
const begun = (settings: Settings): Settings => ({ ...settings, lastBuyPrice: null })

/** The settings of a stock as they are saved. */
export const savedSettings = (stock: Stock): Settings => begun(numbersOf(draftOf(stock)).settings)

/** Why settings cannot be traded by, in words; null: they can. */
export function problemOf(settings: Settings | null): string | null {
  if (settings === null) return '숫자가 아닌 값이 있어 해 볼 수 없습니다. 위에서 고쳐 주세요.'
  return settingsProblems(settings)[0]?.text ?? null
}

/** What is not done, although it could be. */
export const offText = ({ autoBuy, autoSell }: Settings): string | null =>
  !autoBuy
    ? '자동 매수가 꺼져 있어 아무것도 사지 않습니다. 위 설정에서 자동 매수를 켜면 저장하지 않아도 해 볼 수 있습니다.'
    : !autoSell
      ? '자동 매도가 꺼져 있어 산 것을 팔지 않습니다. 위 설정에서 자동 매도를 켜면 저장하지 않아도 해 볼 수 있습니다.'
      : null

interface Trying {
  /** As typed, with the steps that are tried; null: it cannot be read. */
  readonly settings: Settings | null
  readonly steps: Steps
  readonly saved: Settings
  readonly savedSteps: Steps
  readonly axes: Axes
  readonly tryOut: (steps: Steps) => void
  /** The form says again what is tried. */
  readonly follow: () => void
}

/** The sliders follow the form until they are moved, and again once the form says something else. */
export function useTrying(stock: Stock, draft: Draft): Trying {
  const of = `${draft.buyPercent} ${draft.sellPercent}`
  const [moved, setMoved] = useState<(Steps & { of: string }) | null>(null)
  const saved = useMemo(() => savedSettings(stock), [stock])
  const typed = settingsOf(draft)
  const steps = moved?.of === of ? moved : stepsOf(typed ?? saved)
  const savedSteps = useMemo(() => stepsOf(saved), [saved])
  const [downAt, upAt] = [mapCentre(savedSteps.down, steps.down), mapCentre(savedSteps.up, steps.up)]
  const axes = useMemo(() => ({ downs: mapSizes(downAt), ups: mapSizes(upAt) }), [downAt, upAt])
  const tryOut = useCallback(({ down, up }: Steps) => setMoved({ down, up, of }), [of])
  return {
    settings: typed && withSteps(begun(typed), steps),
    steps,
    saved,
    savedSteps,
    axes,
    tryOut,
    follow: () => setMoved(null),
  }
}

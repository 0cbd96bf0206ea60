import type { StockHistory } from '@digger/contract'
import { useRef } from 'react'
import { useSize } from '../../../components/chart/useSize.ts'
import { Loading } from '../../../components/QueryView.tsx'
import { FillButton } from './FillButton.tsx'
import { PastMap } from './PastMap.tsx'
import { PastOutcome } from './PastOutcome.tsx'
import { PastPicture } from './PastPicture.tsx'
import { PercentSliders } from './PercentSliders.tsx'
import { placesIn } from './picture.ts'
import { offText, problemOf, useTrying } from './tried.ts'
import { useRehearsal } from './useRehearsal.ts'
import type { WhatIfProps } from './whatIfProps.ts'
import css from './WhatIf.module.css'
import { firstDay, type PastRange } from './whatIfRanges.ts'

interface Props extends WhatIfProps {
  history: StockHistory
  range: PastRange
}

/** One history, traded again. What is tried here is the panel's own until it is filled into the form. */
export function Rehearse({ stock, draft, history, range, onFill, onShowSave }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const { width } = useSize(box)
  const { settings, steps, saved, axes, savedSteps, tryOut, follow } = useTrying(stock, draft)
  const fill: WhatIfProps['onFill'] = (filled) => {
    follow()
    onFill(filled)
  }
  const problem = problemOf(settings)
  const from = firstDay(range, history.days.at(-1) ?? '')
  const places = placesIn(width)
  const { frame, outcome, ...rest } = useRehearsal({
    history,
    from,
    places,
    settings: problem === null ? settings : null,
    saved,
    axes,
  })
  const wrong = problem ?? rest.problem ?? (settings && offText(settings))
  return (
    <>
      {wrong !== null && <p className={css['problem']}>{wrong}</p>}
      <div className={css['columns']}>
        <div ref={box} className={css['main']}>
          {frame !== null && outcome !== null ? (
            <PastPicture frame={frame} traded={outcome.traded} width={width} name={stock.name} />
          ) : (
            rest.problem === null && <Loading rows={1} heights={[420]} />
          )}
          <PercentSliders saved={savedSteps} steps={steps} onMove={tryOut} />
          <FillButton stock={stock} draft={draft} steps={steps} onFill={fill} onShowSave={onShowSave} />
        </div>
        {outcome !== null && <PastOutcome run={outcome.run} saved={outcome.saved} />}
      </div>
      {rest.map !== null && (
        <PastMap {...rest.map} isOld={rest.isOldMap} saved={savedSteps} steps={steps} onTry={tryOut} />
      )}
    </>
  )
}

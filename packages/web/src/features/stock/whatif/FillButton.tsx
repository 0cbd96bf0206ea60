import type { Stock } from '@digger/contract'
import { useState } from 'react'
import { Button } from '../../../components/Button.tsx'
import { changedNames, type Draft } from '../draft.ts'
import type { Steps } from './tried.ts'
import type { WhatIfProps } from './whatIfProps.ts'
import css from './WhatIf.module.css'

interface Props extends Pick<WhatIfProps, 'onFill' | 'onShowSave'> {
  stock: Stock
  draft: Draft
  steps: Steps
}

/** Puts what is tried into the form. Nothing is saved by it, and it says so while it is so. */
export function FillButton({ stock, draft, steps, onFill, onShowSave }: Props) {
  const [filled, setFilled] = useState<Pick<Draft, 'buyPercent' | 'sellPercent'> | null>(null)
  const fill = () => {
    const percents = { buyPercent: String(-steps.down), sellPercent: String(steps.up) }
    setFilled(percents)
    onFill({ ...draft, ...percents })
  }
  const isFilled = filled?.buyPercent === draft.buyPercent && filled.sellPercent === draft.sellPercent
  const changed = changedNames(stock, draft).length
  return (
    <div className={css['fill']}>
      <Button look="main" onClick={fill}>
        이 값으로 채우기
      </Button>
      <output>
        {isFilled &&
          (changed > 0
            ? '설정의 매수 비율과 매도 비율에 채웠습니다. 아직 저장하지 않았습니다.'
            : '저장된 설정과 같은 값입니다. 저장할 것이 없습니다.')}
      </output>
      {isFilled && changed > 0 && (
        <Button look="quiet" onClick={onShowSave}>
          저장하거나 되돌리러 가기
        </Button>
      )}
    </div>
  )
}

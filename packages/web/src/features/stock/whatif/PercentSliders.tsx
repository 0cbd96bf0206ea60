import { memo, useMemo } from 'react'
import { downText, upText } from './figures.ts'
import { nearest, sliderSizes } from './percents.ts'
import { PercentSlider } from './PercentSlider.tsx'
import type { Steps } from './tried.ts'

interface Props {
  saved: Steps
  steps: Steps
  onMove: (steps: Steps) => void
}

/** Both steps: each move of them trades anew. */
export const PercentSliders = memo(function PercentSliders({ saved, steps, onMove }: Props) {
  const downs = useMemo(() => sliderSizes([saved.down, steps.down]), [saved.down, steps.down])
  const ups = useMemo(() => sliderSizes([saved.up, steps.up]), [saved.up, steps.up])
  return (
    <>
      <PercentSlider
        label="해 볼 매수 비율"
        sizes={downs}
        at={nearest(downs, steps.down)}
        textOf={downText}
        onMove={(down) => onMove({ ...steps, down })}
      />
      <PercentSlider
        label="해 볼 매도 비율"
        sizes={ups}
        at={nearest(ups, steps.up)}
        textOf={upText}
        onMove={(up) => onMove({ ...steps, up })}
      />
    </>
  )
})

import type { Trade } from '@digger/contract'
import { Tag } from '../../../components/Badge.tsx'
import { Button } from '../../../components/Button.tsx'
import { number } from '../../../format/won.ts'
import css from './TakenOver.module.css'
import { sharesIn } from './takenOver.ts'

/** Above the list: what corrections of the balance brought, which nobody has agreed to sell. */
export function TakenOverNote({
  trades,
  onRelease,
}: {
  trades: readonly Trade[]
  onRelease: (ids: readonly number[]) => void
}) {
  const taken = trades.filter(({ takenOver }) => takenOver)
  if (taken.length === 0) return null
  return (
    <div className={css['note']}>
      <p>
        잔고를 맞추며 장부에 들어온 매매가 {number(taken.length)}건({number(sharesIn(taken))}주) 있습니다. Digger가 산
        것이 아니라서, 자동 매도에 넣을 때까지 팔지 않습니다.
      </p>
      <Button onClick={() => onRelease(taken.map(({ id }) => id))}>모두 자동 매도에 넣기</Button>
    </div>
  )
}

/** In the box of such a trade. */
export const ReleaseLine = ({ onRelease }: { onRelease: () => void }) => (
  <p className={css['line']}>
    <Tag text="자동 매도 제외" tone="plain" />
    <span className={css['button']}>
      <Button look="quiet" onClick={onRelease}>
        자동 매도에 넣기
      </Button>
    </span>
  </p>
)

import type { AnnouncedAction, BaseMove } from '@digger/contract'
import { useToday } from '../../../clock/now.ts'
import { Facts } from '../../../components/Panel.tsx'
import { showDay } from '../../../format/day.ts'
import { won } from '../../../format/won.ts'
import { announcedText } from '../announced.ts'
import { ratioText } from './adjustment.ts'
import css from './FrozenPanel.module.css'

/** What moved the base price, as far as anybody knows, and by how much. */
export function MoveFacts({ move, announced }: { move: BaseMove; announced: AnnouncedAction | null }) {
  const today = useToday()
  return (
    <>
      <p className={css['note']}>
        {showDay(move.day)}의 기준가가 지난 종가와 다릅니다. 권리락(무상·유상증자, 주식배당)이나 주식 분할·병합이 있으면
        이렇게 되며, 그러면 전에 정한 가격과 매수가가 더는 맞지 않습니다. 증권사 앱이나 공시에서 무슨 일인지 보고 정해
        주세요. 정할 때까지 이 종목을 자동으로 사지도 팔지도 않습니다.
      </p>
      {announced && <p className={css['note']}>예탁원에 올라온 일정: {announcedText(announced)}</p>}
      <Facts
        facts={[
          ['지난 종가', won(move.close)],
          [move.day === today ? '오늘 기준가' : `${showDay(move.day)} 기준가`, won(move.base)],
          ['비율', ratioText(move)],
        ]}
      />
    </>
  )
}

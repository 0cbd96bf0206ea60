import type { BaseMove, Stock } from '@digger/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../../api/read.ts'
import { Button } from '../../../components/Button.tsx'
import { Facts, Panel } from '../../../components/Panel.tsx'
import { QueryView } from '../../../components/QueryView.tsx'
import { useToday } from '../../../clock/now.ts'
import { showDay } from '../../../format/day.ts'
import { won } from '../../../format/won.ts'
import { usePathUser } from '../../../url/user.ts'
import { ratioText } from './adjustment.ts'
import { AdjustmentTable } from './AdjustmentTable.tsx'
import css from './FrozenPanel.module.css'
import { adjust, keep } from './settleMove.ts'

/** A stock whose base price moved: what happened, what an adjustment would change, and the person's choice. */
export function FrozenPanel({ stock, move }: { stock: Stock; move: BaseMove }) {
  const userId = usePathUser()
  const client = useQueryClient()
  const today = useToday()
  const preview = useQuery(read('adjustment', { params: { userId, code: stock.code } }))
  const [busy, setBusy] = useState(false)
  const settling = { client, userId, stock, day: move.day }
  const run = async (work: Promise<void>) => {
    setBusy(true)
    await work
    setBusy(false)
  }
  const { data } = preview
  return (
    <Panel label="기준가 변동">
      <h2 className={css['title']}>기준가가 바뀌어 자동 매매를 멈췄습니다</h2>
      <p className={css['note']}>
        {showDay(move.day)}의 기준가가 지난 종가와 다릅니다. 권리락(무상·유상증자, 주식배당)이나 주식 분할·병합이 있으면
        이렇게 되며, 그러면 전에 정한 가격과 매수가가 더는 맞지 않습니다. 증권사 앱이나 공시에서 무슨 일인지 보고 정해
        주세요. 정할 때까지 이 종목을 자동으로 사지도 팔지도 않습니다.
      </p>
      <Facts
        facts={[
          ['지난 종가', won(move.close)],
          [move.day === today ? '오늘 기준가' : `${showDay(move.day)} 기준가`, won(move.base)],
          ['비율', ratioText(move)],
        ]}
      />
      <QueryView query={preview} rows={3}>
        {(adjustment) => <AdjustmentTable adjustment={adjustment} />}
      </QueryView>
      <div className={css['buttons']}>
        <Button
          look="main"
          disabled={busy || data === undefined}
          onClick={() => data && void run(adjust(settling, data))}
        >
          조정하기
        </Button>
        <Button disabled={busy} onClick={() => void run(keep(settling))}>
          그대로 두기
        </Button>
      </div>
    </Panel>
  )
}

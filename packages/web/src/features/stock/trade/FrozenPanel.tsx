import type { BaseMove, Stock } from '@digger/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../../api/read.ts'
import { Button } from '../../../components/Button.tsx'
import { Panel } from '../../../components/Panel.tsx'
import { QueryView } from '../../../components/QueryView.tsx'
import { usePathUser } from '../../../url/user.ts'
import { AdjustmentTable } from './AdjustmentTable.tsx'
import css from './FrozenPanel.module.css'
import { MoveFacts } from './MoveFacts.tsx'
import { adjust, keep } from './settleMove.ts'

/** A stock whose base price moved: what happened, what an adjustment would change, and the person's choice. */
export function FrozenPanel({ stock, move }: { stock: Stock; move: BaseMove }) {
  const userId = usePathUser()
  const client = useQueryClient()
  const preview = useQuery(read('adjustment', { params: { userId, code: stock.code } }))
  const [busy, setBusy] = useState(false)
  const settling = { client, userId, stock, move }
  const run = async (work: Promise<void>) => {
    setBusy(true)
    await work
    setBusy(false)
  }
  // Older numbers stay on the page while newer ones are read; nobody may agree to those.
  const isOfMove = preview.data?.move.day === move.day && preview.data.move.base === move.base
  const data = preview.isFetching || preview.isError || !isOfMove ? undefined : preview.data
  return (
    <Panel label="기준가 변동">
      <h2 className={css['title']}>기준가가 바뀌어 자동 매매를 멈췄습니다</h2>
      <MoveFacts
        move={move}
        announced={preview.data?.announced ?? (stock.announced?.day === move.day ? stock.announced : null)}
      />
      {stock.remainCount > 0 && move.base < move.close && (
        <p className={css['note']}>
          정하기 전에 직접 팔면 손익은 바뀌기 전 원가로 적힙니다. 나중에 들어올 새 주식의 몫까지 손실로 적혀 손실 한도에
          닿을 수 있습니다.
        </p>
      )}
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

import type { AwaitedShares, Stock } from '@digger/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../components/Button.tsx'
import { Panel } from '../../../components/Panel.tsx'
import { usePathUser } from '../../../url/user.ts'
import { awaitedText } from './awaited.ts'
import css from './FrozenPanel.module.css'
import { giveUp } from './giveUp.ts'

/** New shares that an adjustment waits for, and the way out where they never come. */
export function AwaitedPanel({ stock, awaited }: { stock: Stock; awaited: AwaitedShares }) {
  const userId = usePathUser()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    await giveUp({ client, userId, stock, awaited })
    setBusy(false)
  }
  return (
    <Panel label="받을 주식">
      <h2>{awaitedText(awaited)}</h2>
      <p className={css['note']}>
        들어오면 그 값으로 장부에 넣습니다. 그동안 이 돈도 최대 매수 금액과 한도에 듭니다. 유상증자에 청약하지 않았거나
        1주가 못 되는 몫을 돈으로 받았다면 끝내 들어오지 않습니다.
      </p>
      <div className={css['buttons']}>
        <Button disabled={busy} onClick={() => void run()}>
          더 기다리지 않기
        </Button>
      </div>
    </Panel>
  )
}

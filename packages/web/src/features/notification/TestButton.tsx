import type { NotificationItem } from '@digger/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../api/read.ts'
import { send } from '../../api/send.ts'
import { useNow } from '../../clock/now.ts'
import { Button } from '../../components/Button.tsx'
import { usePathUser } from '../../url/user.ts'
import { Deliveries } from './Deliveries.tsx'
import css from './Notification.module.css'
import { useMessages } from './notificationQueries.ts'
import { isOnItsWay } from './notificationText.ts'

/** So long it is read often where the test arrives; a channel that takes nothing may stay so for hours, ms. */
const WAITING_MS = 30_000

interface Started {
  /** Epoch ms. */
  readonly at: number
  /** Every notification up to this one was there before. */
  readonly lastId: number
}

/** Sends one like every other, and shows where it arrives. */
export function TestButton() {
  const userId = usePathUser()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [started, setStarted] = useState<Started | null>(null)
  const isLate = useNow((now) => started !== null && now - started.at >= WAITING_MS)
  const { data = [] } = useMessages(
    (messages) => started !== null && !isLate && isWaiting(testSince(messages, started)),
  )
  const start = async () => {
    setBusy(true)
    const place = { params: { userId } }
    const lastId = Math.max(0, ...data.map(({ id }) => id))
    if ((await send('testNotification', place)) !== null) {
      setStarted({ at: Date.now(), lastId })
      await client.invalidateQueries({ queryKey: read('notifications', place).queryKey })
    }
    setBusy(false)
  }
  return (
    <div className={css['test']}>
      <Button disabled={busy} onClick={() => void start()}>
        시험 알림 보내기
      </Button>
      <output>{started !== null && <Outcome test={testSince(data, started)} isLate={isLate} />}</output>
    </div>
  )
}

const testSince = (messages: readonly NotificationItem[], { lastId }: Started): NotificationItem | undefined =>
  messages.find(({ id, kind }) => kind === 'test' && id > lastId)

const isWaiting = (test: NotificationItem | undefined): boolean => test === undefined || isOnItsWay(test)

function Outcome({ test, isLate }: { test: NotificationItem | undefined; isLate: boolean }) {
  const deliveries = test?.deliveries ?? []
  return (
    <>
      {deliveries.length === 0 ? (
        <p className={css['note']}>보내는 중입니다.</p>
      ) : (
        <Deliveries deliveries={deliveries} />
      )}
      {isLate && isWaiting(test) && (
        <p className={css['note']}>
          30초가 지나도 닿지 않은 곳이 있습니다. 하루 동안 다시 보내 봅니다. 위에 적힌 까닭을 확인해 주세요.
        </p>
      )}
    </>
  )
}

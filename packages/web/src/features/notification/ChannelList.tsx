import type { NotificationChannel } from '@digger/contract'
import { useState } from 'react'
import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { Tag } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { CheckField } from '../../components/Field.tsx'
import { Panel } from '../../components/Panel.tsx'
import { stamp } from '../../format/time.ts'
import { usePathUser } from '../../url/user.ts'
import type { Device } from './device/useDevice.ts'
import css from './Notification.module.css'
import { usePutSetup } from './notificationQueries.ts'
import { CHANNEL_NAMES } from './notificationText.ts'
import { TestButton } from './TestButton.tsx'

/** Where notifications go, and whether they arrived. */
export function ChannelList({ channels, device }: { channels: readonly NotificationChannel[]; device: Device }) {
  return (
    <Panel label="받는 곳">
      <h2>받는 곳</h2>
      <ul className={css['rows']}>
        {channels.map((channel) => (
          <Channel
            key={channel.id}
            channel={channel}
            isOwn={channel.id === device.own?.id}
            onRemoved={() => void device.forget(channel.id)}
          />
        ))}
      </ul>
      <TestButton />
    </Panel>
  )
}

interface Props {
  channel: NotificationChannel
  /** It is the device that shows this page. */
  isOwn: boolean
  onRemoved: () => void
}

type Change = Partial<Pick<NotificationChannel, 'on' | 'amounts'>>

function Channel({ channel, isOwn, onRemoved }: Props) {
  const { id, kind, label, note, sentAt } = channel
  const params = { userId: usePathUser(), channelId: id }
  const put = usePutSetup()
  // The boxes move at once; what the server then says counts.
  const [chosen, setChosen] = useState<Change>({})
  const { on, amounts } = { ...channel, ...chosen }
  const change = async (body: Change) => {
    setChosen({ ...chosen, ...body })
    const setup = await send('changeChannel', { params, body })
    if (setup !== null) put(setup)
    setChosen({})
  }
  const remove = async () => {
    const sure = await ask.confirm(`${label}: 받는 곳에서 지울까요?`, {
      note: '이곳으로는 더 알리지 않습니다. 다시 받으려면 새로 더하면 됩니다.',
      yes: '지우기',
      danger: true,
    })
    if (!sure) return
    const setup = await send('removeChannel', { params })
    if (setup === null) return
    put(setup)
    onRemoved()
  }
  return (
    <li>
      <div className={css['head']}>
        <h3>
          {label} {isOwn && <Tag text="이 기기" tone="blue" />}
        </h3>
        <Tag text={CHANNEL_NAMES[kind]} tone="plain" />
      </div>
      {note !== null && <p className={css['problem']}>{note}</p>}
      <p className={css['note']}>
        {sentAt === null ? '아직 보낸 알림이 없습니다.' : `마지막으로 보낸 때 ${stamp(sentAt)}`}
      </p>
      <div className={css['choices']}>
        <CheckField label="켜기" checked={on} onChange={(now) => void change({ on: now })} />
        <CheckField label="금액 보이기" checked={amounts} onChange={(now) => void change({ amounts: now })} />
        <Button look="quiet" aria-label={`${label} 지우기`} onClick={() => void remove()}>
          지우기
        </Button>
      </div>
    </li>
  )
}

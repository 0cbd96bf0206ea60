import type { Reply } from '@digger/contract'
import { useState, type ReactNode } from 'react'
import { send } from '../../api/send.ts'
import { Button } from '../../components/Button.tsx'
import { Panel } from '../../components/Panel.tsx'
import { usePathUser } from '../../url/user.ts'
import { DeviceBox } from './device/DeviceBox.tsx'
import type { Device } from './device/useDevice.ts'
import css from './Notification.module.css'
import { usePutSetup } from './notificationQueries.ts'
import { TelegramLink } from './TelegramLink.tsx'
import { WebhookForm } from './WebhookForm.tsx'

interface Props {
  setup: Reply<'notificationSetup'>
  /** Null: it is offered elsewhere on the page, or not at all. */
  device: Device | null
}

/** The ways to add one more channel. What this server cannot do is named, with who can change it. */
export function AddChannels({ setup, device }: Props) {
  const { offered, channels } = setup
  const bot = offered.telegram
  const hasEmail = channels.some(({ kind }) => kind === 'email')
  return (
    <Panel label="받는 곳 더하기">
      <h2>받는 곳 더하기</h2>
      <ul className={css['rows']}>
        {device !== null && (
          <li>
            <h3>이 기기</h3>
            <DeviceBox device={device} />
          </li>
        )}
        {bot === null ? (
          <NotOffered title="텔레그램">
            이 서버에는 텔레그램 봇이 없습니다. 쓰려면 서버 운영자에게 봇을 정해 달라고 하세요.
          </NotOffered>
        ) : (
          <Way title="텔레그램" text="텔레그램 앱으로 받습니다." action="텔레그램 잇기">
            {(close) => <TelegramLink bot={bot} channels={channels} onDone={close} />}
          </Way>
        )}
        {offered.email ? (
          <Email has={hasEmail} />
        ) : (
          <NotOffered title="이메일">
            이 서버는 이메일을 보내지 못합니다. 쓰려면 서버 운영자에게 보내는 메일을 정해 달라고 하세요.
          </NotOffered>
        )}
        <Way title="웹훅" text="ntfy, Slack, Discord나 직접 만든 프로그램으로 받습니다." action="웹훅 더하기">
          {(close) => <WebhookForm onDone={close} />}
        </Way>
      </ul>
    </Panel>
  )
}

function NotOffered({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li>
      <h3>{title}</h3>
      <p className={css['note']}>{children}</p>
    </li>
  )
}

interface WayProps {
  title: string
  text: string
  action: string
  /** What opens below the button. */
  children: (close: () => void) => ReactNode
}

function Way({ title, text, action, children }: WayProps) {
  const [open, setOpen] = useState(false)
  return (
    <li>
      <div className={css['head']}>
        <div>
          <h3>{title}</h3>
          <p className={css['note']}>{text}</p>
        </div>
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? '닫기' : action}
        </Button>
      </div>
      {open && children(() => setOpen(false))}
    </li>
  )
}

function Email({ has }: { has: boolean }) {
  const userId = usePathUser()
  const put = usePutSetup()
  const [busy, setBusy] = useState(false)
  const add = async () => {
    setBusy(true)
    const setup = await send('addChannel', { params: { userId }, body: { kind: 'email' } })
    if (setup !== null) put(setup)
    setBusy(false)
  }
  return (
    <li>
      <div className={css['head']}>
        <div>
          <h3>이메일</h3>
          <p className={css['note']}>
            {has ? '로그인하는 이메일로 받고 있습니다.' : '로그인하는 이메일 주소로 받습니다.'}
          </p>
        </div>
        {!has && (
          <Button disabled={busy} onClick={() => void add()}>
            이메일 더하기
          </Button>
        )}
      </div>
    </li>
  )
}

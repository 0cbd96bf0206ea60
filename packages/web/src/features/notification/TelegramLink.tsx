import type { NotificationChannel, Reply } from '@digger/contract'
import { useEffect, useEffectEvent, useState } from 'react'
import { send } from '../../api/send.ts'
import { useNow } from '../../clock/now.ts'
import { Button } from '../../components/Button.tsx'
import { usePathUser } from '../../url/user.ts'
import css from './Notification.module.css'
import { useSetup, WAITING_INTERVAL_MS } from './notificationQueries.ts'
import { leftText, newTelegram } from './telegram.ts'

interface Props {
  bot: string
  channels: readonly NotificationChannel[]
  onDone: () => void
}

interface Link extends Pick<Reply<'linkTelegram'>, 'code' | 'url'> {
  /** By this device's own clock, which may be wrong, epoch ms. */
  readonly receivedAt: number
}

/** The code that links a chat to this account, until the chat appears among the channels. */
export function TelegramLink({ bot, channels, onDone }: Props) {
  const { link, makeAnother } = useLink()
  const [before] = useState(channels)
  const arrived = newTelegram(before, channels)
  const end = useEffectEvent(onDone)
  useEffect(() => {
    if (arrived) end()
  }, [arrived])
  const left = useNow((now) => (isLink(link) ? (leftText(now - link.receivedAt) ?? '') : ''))
  if (!isLink(link) || left === '')
    return (
      <div className={css['form']}>
        <output className={css['note']}>{WITHOUT_CODE[isLink(link) ? 'late' : link]}</output>
        {link !== 'asked' && <Button onClick={makeAnother}>새 코드 만들기</Button>}
      </div>
    )
  return (
    <div className={css['form']}>
      <Watch />
      <a className={css['link']} href={link.url} target="_blank" rel="noreferrer">
        텔레그램에서 열기
      </a>
      <p className={css['note']}>
        열리지 않으면 텔레그램에서 @{bot}을 찾아 이 코드를 보내 주세요. 남은 시간 <b>{left}</b>
      </p>
      <p className={css['code']}>{link.code}</p>
      <p className={css['note']}>코드가 닿으면 받는 곳에 저절로 나타납니다.</p>
    </div>
  )
}

const WITHOUT_CODE = {
  asked: '코드를 만들고 있습니다.',
  failed: '코드를 만들지 못했습니다. 다시 만들어 주세요.',
  late: '코드의 시간이 지났습니다. 새 코드를 만들어 주세요.',
} as const

const isLink = (link: Link | 'asked' | 'failed'): link is Link => typeof link === 'object'

function useLink(): { link: Link | 'asked' | 'failed'; makeAnother: () => void } {
  const userId = usePathUser()
  const [link, setLink] = useState<Link | 'asked' | 'failed'>('asked')
  const ask = (): void =>
    void send('linkTelegram', { params: { userId }, body: {} }).then((reply) =>
      setLink(reply === null ? 'failed' : { ...reply, receivedAt: Date.now() }),
    )
  const begin = useEffectEvent(ask)
  useEffect(() => begin(), [])
  return {
    link,
    makeAnother: () => {
      setLink('asked')
      ask()
    },
  }
}

/** Reads the channels often while it is shown. */
function Watch() {
  useSetup(WAITING_INTERVAL_MS)
  return null
}

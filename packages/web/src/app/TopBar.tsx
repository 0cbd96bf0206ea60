import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { read } from '../api/read.ts'
import { Tag } from '../components/Badge.tsx'
import { IconButton } from '../components/Button.tsx'
import { Icon } from '../components/Icon.tsx'
import { StopButton } from '../features/stop/StopButton.tsx'
import { ENVIRONMENTS } from '../viewer/environment.ts'
import { useHome, useOthersPage, useViewer } from '../viewer/viewer.ts'
import { usePathUser } from '../url/user.ts'
import css from './TopBar.module.css'

export function TopBar({ onMenu }: { onMenu: () => void }) {
  const { me, admin } = useViewer()
  return (
    <header className={css['bar']}>
      <span className={css['toggle']}>
        <IconButton icon="menu" label="메뉴 열기" aria-haspopup="dialog" onClick={onMenu} />
      </span>
      <div className={css['who']}>
        <Names />
        {me && (
          <span className={css['env']} data-env={me.env}>
            {ENVIRONMENTS[me.env]}
          </span>
        )}
      </div>
      <StopButton />
      {admin && <SocketIcon />}
    </header>
  )
}

/** The person, or for an administrator on another's page: that user, and the administrator marked ME. */
function Names() {
  const { email } = useViewer()
  const home = useHome()
  const others = useOthersPage()
  const userId = usePathUser()
  const shown = useQuery({ ...read('me', { params: { userId } }), enabled: others })
  if (!others) {
    return (
      <Link href={home} className={css['names']}>
        <b>{email || 'Digger'}</b>
      </Link>
    )
  }
  return (
    <Link href={home} className={css['names']}>
      <b>{shown.data?.email ?? userId}</b>
      <span>
        {email} <Tag text="ME" tone="blue" />
      </span>
    </Link>
  )
}

function SocketIcon() {
  const userId = usePathUser()
  const { data } = useQuery({ ...read('socket', { params: { userId } }), refetchInterval: 60_000 })
  const connected = data?.connected ?? false
  return (
    <Link
      href={`/${userId}/socket`}
      className={css['socket']}
      data-on={connected}
      aria-label={connected ? '소켓 연결됨' : '소켓 끊김'}
    >
      <Icon name={connected ? 'plug' : 'unplug'} />
    </Link>
  )
}

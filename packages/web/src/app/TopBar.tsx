import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { read } from '../api/read.ts'
import { BreakableEmail } from '../components/BreakableEmail.tsx'
import { IconButton } from '../components/Button.tsx'
import { Icon } from '../components/Icon.tsx'
import { StopButton } from '../features/stop/StopButton.tsx'
import { strictestOf } from '../stops/stops.ts'
import { useStop } from '../stops/useStop.ts'
import { ENVIRONMENTS } from '../viewer/environment.ts'
import { useHome, useOthersPage, useViewer } from '../viewer/viewer.ts'
import { usePathUser } from '../url/user.ts'
import css from './TopBar.module.css'

/** `refused`: the page of an account that is not to be seen. It has no state, and no name either. */
export function TopBar({ onMenu, refused }: { onMenu: () => void; refused: boolean }) {
  return (
    <Bar>
      <span className={css['toggle']}>
        <IconButton icon="menu" label="메뉴 열기" aria-haspopup="dialog" onClick={onMenu} />
      </span>
      <Names refused={refused} />
      {!refused && <Account />}
    </Bar>
  )
}

/** Quiet while the account trades; red when everything stands still. */
function Bar({ children }: { children: ReactNode }) {
  const { stops } = useStop()
  const halted = stops !== null && strictestOf(stops) === 'halt'
  return (
    <header className={css['bar']} data-halted={halted}>
      {children}
    </header>
  )
}

function Account() {
  const { admin } = useViewer()
  return (
    <>
      <StopButton />
      {admin && <SocketIcon />}
    </>
  )
}

/** The person with the environment, or for an administrator on another's page: that user, and the administrator marked ME. */
function Names({ refused }: { refused: boolean }) {
  const { me, email } = useViewer()
  const home = useHome()
  const others = useOthersPage() && !refused
  const userId = usePathUser()
  const shown = useQuery({ ...read('me', { params: { userId } }), enabled: others })
  return (
    <Link href={home} className={css['names']}>
      <b>
        <BreakableEmail email={others ? (shown.data?.email ?? '사용자') : email || 'Digger'} />
      </b>
      <span className={css['second']}>
        {others && (
          <>
            <span>{email}</span> <strong>ME</strong>{' '}
          </>
        )}
        {me && (
          <em className={css['env']} data-env={me.env}>
            {ENVIRONMENTS[me.env]}
          </em>
        )}
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
      aria-label={connected ? '시세 연결됨' : '시세 연결 끊김'}
    >
      <Icon name={connected ? 'plug' : 'unplug'} />
    </Link>
  )
}

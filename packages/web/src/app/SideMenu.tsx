import { useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { IconButton } from '../components/Button.tsx'
import { Icon, type IconName } from '../components/Icon.tsx'
import { useWide } from '../components/useWide.ts'
import { logOut, useViewer } from '../viewer/viewer.ts'
import { afterPicture } from '../url/pending.ts'
import { ME } from '../url/user.ts'
import { useLinkUser } from '../viewer/access.ts'
import { ADMIN_LINKS, USER_LINKS, type MenuLink } from './menuLinks.ts'
import css from './SideMenu.module.css'

/** A drawer behind the buttons of both bars, a rail on wide screens. */
export function SideMenu({ open, onClose }: { open: boolean; onClose: () => void }) {
  // Where nobody sees it, it would be drawn anew at every press that leads to another page.
  const isWide = useWide()
  return (
    <>
      {isWide && (
        <aside className={css['column']}>
          <Sections />
        </aside>
      )}
      {open && <Drawer onClose={onClose} />}
    </>
  )
}

function Drawer({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null)
  // The drawer answers the press; its links, which are many, come with the next picture.
  const isLater = useDeferredValue(true, false)
  // The effect below must run once per drawer, however often the frame renders: shown again, the dialog would report a close.
  const closed = useEffectEvent(onClose)
  useLayoutEffect(() => {
    const dialog = ref.current
    const close = () => closed()
    const pressed = (event: MouseEvent) => {
      // A press beside the drawer, or on a link in it, closes it; the link goes to its page with the next picture, too.
      if (event.target === dialog) close()
      else if (event.target instanceof Element && event.target.closest('a')) afterPicture(close)
    }
    dialog?.showModal()
    // The document gets a click after React: closed any earlier, the link would be gone before it is followed, and the
    // browser would load the whole page anew.
    document.addEventListener('click', pressed)
    dialog?.addEventListener('close', close)
    return () => {
      document.removeEventListener('click', pressed)
      dialog?.removeEventListener('close', close)
      dialog?.close()
    }
  }, [])
  return (
    <dialog ref={ref} className={css['drawer']} aria-label="메뉴">
      <div className={css['head']}>
        <b>Digger</b>
        <IconButton icon="close" label="메뉴 닫기" onClick={() => afterPicture(onClose)} />
      </div>
      {isLater && <Sections />}
    </dialog>
  )
}

function Sections() {
  const { admin } = useViewer()
  const user = useLinkUser()
  const client = useQueryClient()
  return (
    <nav className={css['menu']} aria-label="주 메뉴">
      {!(admin && user === ME) && <Section name={admin ? '이 사용자의 계좌' : '계좌'} links={USER_LINKS} />}
      {admin && <Section name="관리자" links={ADMIN_LINKS} />}
      <h2>내 정보</h2>
      <Item href={`/${user}/notification`} name="알림" icon="bell" />
      <Item href={`/${user}/credentials`} name="증권사 정보" icon="key" />
      <Item href={`/${user}/security`} name="보안" icon="shield" />
      <Item href={`/${user}/tokens`} name="API 토큰" icon="plug" />
      <Item href={`/${user}/password`} name="비밀번호 변경" icon="lock" />
      <button type="button" className={css['item']} onClick={() => void logOut(client, admin)}>
        <Icon name="leave" size={20} />
        로그아웃
      </button>
    </nav>
  )
}

function Section({ name, links }: { name: string; links: readonly MenuLink[] }) {
  const user = useLinkUser()
  return (
    <>
      <h2>{name}</h2>
      {links.map(([path, label, icon]) => (
        <Item key={path} href={`/${user}${path}`} name={label} icon={icon} />
      ))}
    </>
  )
}

function Item({ href, name, icon }: { href: string; name: string; icon: IconName }) {
  const [path] = useLocation()
  return (
    <Link href={href} className={css['item']} aria-current={path === href ? 'page' : undefined}>
      <Icon name={icon} size={20} />
      {name}
    </Link>
  )
}

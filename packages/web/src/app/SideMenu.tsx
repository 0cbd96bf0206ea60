import { useQueryClient } from '@tanstack/react-query'
import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { IconButton } from '../components/Button.tsx'
import { logOut, useViewer } from '../viewer/viewer.ts'
import { ME, usePathUser } from '../url/user.ts'
import css from './SideMenu.module.css'

const USER_LINKS = [
  ['/balance', '잔고'],
  ['/stock', '종목'],
  ['/gain', '실현 손익'],
  ['/money', '자산 내역'],
  ['/kis/balance', '증권사 잔고'],
  ['/kis/ordered', '체결 내역'],
  ['/kis/order', '미체결 주문'],
  ['/limits', '한도'],
  ['/socket', '소켓'],
  ['/audit', '감사 기록'],
] as const
const ADMIN_LINKS = [
  ['/admin/user', '사용자'],
  ['/admin/stock', '종목'],
  ['/admin/gain', '실현 손익'],
  ['/admin/money', '자산 내역'],
  ['/admin/kis/balance', '증권사 잔고'],
  ['/admin/kis/ordered', '체결 내역'],
  ['/admin/kis/order', '미체결 주문'],
  ['/admin/job', '작업'],
  ['/admin/server', '서버'],
  ['/admin/calendar', '거래일 달력'],
] as const

/** A drawer on phones, a fixed column on wide screens. */
export function SideMenu({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <>
      <aside className={css['column']}>
        <Sections />
      </aside>
      {open && <Drawer onClose={onClose} />}
    </>
  )
}

function Drawer({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null)
  // The effect below must run once per drawer, however often the frame renders: shown again, the dialog would report a close.
  const closed = useEffectEvent(onClose)
  useLayoutEffect(() => {
    const dialog = ref.current
    const close = () => closed()
    const pressed = (event: MouseEvent) => {
      // A press beside the drawer, or on a link in it, closes it.
      if (event.target === dialog || (event.target instanceof Element && event.target.closest('a'))) close()
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
        <IconButton icon="close" label="메뉴 닫기" onClick={onClose} />
      </div>
      <Sections />
    </dialog>
  )
}

function Sections() {
  const { admin } = useViewer()
  const user = usePathUser()
  const client = useQueryClient()
  return (
    <nav className={css['menu']} aria-label="주 메뉴">
      {!(admin && user === ME) && <Section name="계좌" links={USER_LINKS} />}
      {admin && <Section name="관리자" links={ADMIN_LINKS} />}
      <h2>내 정보</h2>
      <MenuLink href={`/${user}/notification`} name="알림" />
      <MenuLink href={`/${user}/password`} name="비밀번호 변경" />
      <button type="button" className={css['item']} onClick={() => void logOut(client, admin)}>
        로그아웃
      </button>
    </nav>
  )
}

function Section({ name, links }: { name: string; links: readonly (readonly [string, string])[] }) {
  const user = usePathUser()
  return (
    <>
      <h2>{name}</h2>
      {links.map(([path, label]) => (
        <MenuLink key={path} href={`/${user}${path}`} name={label} />
      ))}
    </>
  )
}

function MenuLink({ href, name }: { href: string; name: string }) {
  const [path] = useLocation()
  return (
    <Link href={href} className={css['item']} aria-current={path === href ? 'page' : undefined}>
      {name}
    </Link>
  )
}

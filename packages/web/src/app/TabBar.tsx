import { Link, useLocation } from 'wouter'
import { Icon } from '../components/Icon.tsx'
import { ME } from '../url/user.ts'
import { useLinkUser } from '../viewer/access.ts'
import { useViewer } from '../viewer/viewer.ts'
import { ADMIN_TABS, isWithin, USER_TABS } from './menuLinks.ts'
import css from './TabBar.module.css'

/** The way to what is looked at most, at the thumb; below 1280 px. Everything else is in the menu. */
export function TabBar({ onMore }: { onMore: () => void }) {
  const { admin } = useViewer()
  const user = useLinkUser()
  const [path] = useLocation()
  const tabs = admin && user === ME ? ADMIN_TABS : USER_TABS
  const current = (tab: string) => (path === `/${user}${tab}` ? 'page' : isWithin(tab, path) ? 'true' : undefined)
  return (
    <nav className={css['bar']} aria-label="바로 가기">
      {tabs.map(([tab, label, icon]) => (
        <Link key={tab} href={`/${user}${tab}`} className={css['tab']} aria-current={current(tab)}>
          <Icon name={icon} />
          {label}
        </Link>
      ))}
      <button type="button" className={css['tab']} aria-haspopup="dialog" onClick={onMore}>
        <Icon name="grid" />
        더보기
      </button>
    </nav>
  )
}

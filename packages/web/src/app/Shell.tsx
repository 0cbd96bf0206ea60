import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createQueryClient } from '../api/read.ts'
import { useLive } from '../live/useLive.ts'
import { setTimetable } from '../market/market.ts'
import { usePathUser } from '../url/user.ts'
import { useViewer } from '../viewer/viewer.ts'
import { Banners } from './Banners.tsx'
import { Pages } from './Pages.tsx'
import css from './Shell.module.css'
import { SideMenu } from './SideMenu.tsx'
import { TopBar } from './TopBar.tsx'

/** Everything behind the login. What was read lives as long as this does: the next person starts with an empty cache. */
export function Shell() {
  const [client] = useState(createQueryClient)
  return (
    <QueryClientProvider client={client}>
      <Frame />
    </QueryClientProvider>
  )
}

/** After the start, ms. */
const NAMES_AFTER_MS = 700

/** Letters of names come after the first picture: until then the device's own font shows them. */
function loadNames(): () => void {
  const timer = setTimeout(fetchNames, NAMES_AFTER_MS)
  return () => clearTimeout(timer)
}
const fetchNames = () => void import('../style/names.css').catch(() => undefined)

/** Bar, menu, banners, and the page of the path. */
function Frame() {
  const [menu, setMenu] = useState(false)
  const user = usePathUser()
  useLive(user)
  useEffect(loadNames, [])
  const { me } = useViewer()
  useEffect(() => setTimetable(me?.market), [me?.market])
  return (
    <div className={css['shell']}>
      <TopBar onMenu={() => setMenu(true)} />
      <SideMenu open={menu} onClose={() => setMenu(false)} />
      <div className={css['content']}>
        <Banners />
        <Pages />
      </div>
    </div>
  )
}

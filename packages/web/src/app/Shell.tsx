import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createQueryClient } from '../api/read.ts'
import { useLive } from '../live/useLive.ts'
import { setTimetable } from '../market/market.ts'
import { usePathUser } from '../url/user.ts'
import { useAccess } from '../viewer/access.ts'
import { useViewer } from '../viewer/viewer.ts'
import { Content } from './Content.tsx'
import css from './Shell.module.css'
import { SideMenu } from './SideMenu.tsx'
import { TabBar } from './TabBar.tsx'
import { TopBar } from './TopBar.tsx'

/** Everything behind the log-in. It owns the query cache, so the next person starts with an empty one. */
export function Shell() {
  const [client] = useState(createQueryClient)
  return (
    <QueryClientProvider client={client}>
      <Frame />
    </QueryClientProvider>
  )
}

/** The font's style sheet waits this long after the start, so that it does not delay the first paint, ms. */
const SYLLABLES_DELAY_MS = 700

/** Loads the font of the syllables in names; the device's own font shows them until then. */
function loadNameSyllables(): () => void {
  const timer = setTimeout(() => void import('virtual:name-syllables.css').catch(() => undefined), SYLLABLES_DELAY_MS)
  return () => clearTimeout(timer)
}

/** When the page has long been there, ms. */
const REPAIR_DELAY_MS = 6_000

/** A device that gets notifications, and was given another address by its browser meanwhile, is added again. */
function useDeviceRepair(): void {
  const client = useQueryClient()
  useEffect(() => {
    const repair = () =>
      import('../features/notification/device/repairDevice.ts')
        .then(({ repairDevice }) => repairDevice(client))
        .catch(() => undefined)
    const timer = setTimeout(() => void repair(), REPAIR_DELAY_MS)
    return () => clearTimeout(timer)
  }, [client])
}

/** Shows bars, menu, banners, and the page of the path. */
function Frame() {
  const [menu, setMenu] = useState(false)
  const user = usePathUser()
  const access = useAccess()
  useLive(access === 'open' ? user : null)
  useEffect(loadNameSyllables, [])
  useDeviceRepair()
  const { me } = useViewer()
  useEffect(() => setTimetable(me?.market), [me?.market])
  const openMenu = () => setMenu(true)
  return (
    <div className={css['shell']}>
      <TopBar onMenu={openMenu} refused={access === 'refused'} />
      <SideMenu open={menu} onClose={() => setMenu(false)} />
      <div className={css['content']}>
        <Content access={access} />
      </div>
      <TabBar onMore={openMenu} />
    </div>
  )
}

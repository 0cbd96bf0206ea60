import { lazy, Suspense, type ComponentType } from 'react'
import type { useAccess } from '../viewer/access.ts'
import { UndoBar } from '../components/UndoBar.tsx'
import { WorkNotes } from '../work/WorkNotes.tsx'
import { Banners } from './Banners.tsx'
import { Pages } from './Pages.tsx'
import { Refused } from './Refused.tsx'

/** Its code waits until the page is there, ms: nobody pulls before. */
const PULL_AFTER_MS = 700
const Nothing = () => null
const PullToRefresh = lazy<ComponentType>(async () => {
  await new Promise((resolve) => setTimeout(resolve, PULL_AFTER_MS))
  try {
    const { PullToRefresh } = await import('./refresh/PullToRefresh.tsx')
    return { default: PullToRefresh }
  } catch {
    // Its code or its style cannot be fetched: everything else works without it.
    return { default: Nothing }
  }
})

/** What is between the bars: banners, the page of the path, the way back of what was just done, or that the account is not to be seen. */
export function Content({ access }: { access: ReturnType<typeof useAccess> }) {
  return (
    <>
      <WorkNotes />
      {access === 'open' && <Banners />}
      {access === 'refused' ? <Refused /> : <Pages />}
      {access === 'open' && navigator.maxTouchPoints > 0 && (
        <Suspense>
          <PullToRefresh />
        </Suspense>
      )}
      <UndoBar />
    </>
  )
}

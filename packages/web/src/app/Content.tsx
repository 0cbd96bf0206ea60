import type { useAccess } from '../viewer/access.ts'
import { UndoBar } from '../components/UndoBar.tsx'
import { WorkNotes } from '../work/WorkNotes.tsx'
import { Banners } from './Banners.tsx'
import { Pages } from './Pages.tsx'
import { Refused } from './Refused.tsx'

/** What is between the bars: banners, the page of the path, the way back of what was just done, or that the account is not to be seen. */
export function Content({ access }: { access: ReturnType<typeof useAccess> }) {
  return (
    <>
      <WorkNotes />
      {access === 'open' && <Banners />}
      {access === 'refused' ? <Refused /> : <Pages />}
      <UndoBar />
    </>
  )
}

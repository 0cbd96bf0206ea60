import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { read } from '../../api/read.ts'
import { Empty, QueryView } from '../../components/QueryView.tsx'
import { Page } from '../../components/Page.tsx'
import { showDay, weekdayName } from '../../format/day.ts'
import { usePathUser } from '../../url/user.ts'
import { useHome } from '../../viewer/viewer.ts'
import { AttentionList } from './AttentionList.tsx'
import { DoneList } from './DoneList.tsx'
import { LedgerNote } from './LedgerNote.tsx'
import { TodayHero } from './TodayHero.tsx'
import css from './TodayPage.module.css'
import { WaitingList } from './WaitingList.tsx'

/** Prices that the waiting orders are counted from come with no event, ms. */
const REREAD_MS = 60_000

/** One day of the account: what it brought, what needs its person, what was done and why, and what waits. */
export function TodayPage() {
  const userId = usePathUser()
  const query = useQuery({ ...read('today', { params: { userId } }), refetchInterval: REREAD_MS })
  return (
    <Page title="Today" name="오늘" homeHref={useHome()} wide>
      <QueryView query={query} heights={[24, 400, 414]}>
        {(today) => (
          <>
            <p className={css['day']}>
              {showDay(today.day)} {weekdayName(today.day)}요일
            </p>
            <div className={css['parts']}>
              <TodayHero today={today} />
              <div className={css['side']}>
                <AttentionList attention={today.attention} />
              </div>
              {today.doneCount === 0 && today.waitingCount === 0 ? (
                <Empty title="오늘은 아직 한 일이 없습니다">
                  <p>
                    자동으로 사고팔 종목은 <Link href={`/${userId}/stock`}>종목 화면</Link>에서 봅니다.
                  </p>
                </Empty>
              ) : (
                <>
                  <DoneList done={today.done} count={today.doneCount} />
                  <div className={css['side']}>
                    <WaitingList waiting={today.waiting} count={today.waitingCount} />
                  </div>
                </>
              )}
              <div className={css['side']}>
                <LedgerNote compared={today.compared} />
              </div>
            </div>
          </>
        )}
      </QueryView>
    </Page>
  )
}

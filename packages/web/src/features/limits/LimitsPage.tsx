import type { Limit } from '@digger/contract'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { Empty, QueryView } from '../../components/QueryView.tsx'
import { Page } from '../../components/Page.tsx'
import { Panel } from '../../components/Panel.tsx'
import { useHome } from '../../viewer/viewer.ts'
import { usePathUser } from '../../url/user.ts'
import { FirstDaysPanel } from './FirstDaysPanel.tsx'
import { LimitRow } from './LimitRow.tsx'
import css from './LimitsPage.module.css'
import { LIMIT_GROUPS } from './limitTexts.ts'
import { ReachedLimits } from './ReachedLimits.tsx'
import { StopLinkPanel } from './StopLinkPanel.tsx'
import { VenuesPanel } from './VenuesPanel.tsx'

/** Losses follow prices, which cause no event of limits, ms. */
const REFETCH_INTERVAL_MS = 5_000

const isEmpty = ({ limits }: { limits: readonly Limit[] }): boolean =>
  limits.every(({ value, pending }) => value === null && pending === null)

/** What this account may do at most, how much of it is used, and what has stopped the buying. */
export function LimitsPage() {
  const userId = usePathUser()
  const home = useHome()
  const query = useQuery({ ...read('limits', { params: { userId } }), refetchInterval: REFETCH_INTERVAL_MS })
  return (
    <Page title="Limits" name="한도" homeHref={home}>
      <ReachedLimits />
      {/* As long as what comes: the panels below are not pushed down in sight. */}
      <QueryView query={query} heights={[224, 749, 715]}>
        {(reply) => (
          <>
            {isEmpty(reply) && (
              <Empty title="정한 한도가 없습니다">
                <p>아래에서 정하면 바로 지켜집니다.</p>
              </Empty>
            )}
            <FirstDaysPanel firstDays={reply.firstDays} proposed={reply.proposed} />
            <Groups limits={reply.limits} />
          </>
        )}
      </QueryView>
      <VenuesPanel />
      {/* A secret that was just made is not shown on the page of somebody else. */}
      <StopLinkPanel key={userId} />
    </Page>
  )
}

function Groups({ limits }: { limits: readonly Limit[] }) {
  return LIMIT_GROUPS.map(({ title, note, names }) => (
    <Panel key={title}>
      <h2>{title}</h2>
      <p className={css['note']}>{note}</p>
      <ul className={css['limits']}>
        {limits
          .filter(({ name }) => names.includes(name))
          .map((limit) => (
            <LimitRow key={limit.name} limit={limit} />
          ))}
      </ul>
    </Panel>
  ))
}

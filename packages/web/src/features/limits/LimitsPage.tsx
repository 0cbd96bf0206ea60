import type { Limit } from '@digger/contract'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { Button } from '../../components/Button.tsx'
import { Empty, QueryView } from '../../components/QueryView.tsx'
import { Page } from '../../components/Page.tsx'
import { Panel } from '../../components/Panel.tsx'
import { stamp } from '../../format/time.ts'
import { useHome } from '../../viewer/viewer.ts'
import { useStop } from '../../stops/useStop.ts'
import { usePathUser } from '../../url/user.ts'
import { LimitRow } from './LimitRow.tsx'
import css from './LimitsPage.module.css'
import { LIMIT_GROUPS } from './limitTexts.ts'
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
      <Reached />
      <QueryView query={query}>
        {(reply) => (
          <>
            {isEmpty(reply) && (
              <Empty title="정한 한도가 없습니다">
                <p>아래에서 정하면 바로 지켜집니다.</p>
              </Empty>
            )}
            <Groups limits={reply.limits} />
          </>
        )}
      </QueryView>
      <VenuesPanel />
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

/** The limits that stopped the buying, since when, and how to go on. */
function Reached() {
  const { stops, setStop } = useStop()
  if (stops === null || stops.reached.length === 0) return null
  return (
    <Panel label="멈춘 이유">
      <h2>한도에 닿아 멈췄습니다</h2>
      <ul className={css['limits']}>
        {stops.reached.map(({ limit, code, text, at }) => (
          <li key={`${limit} ${code}`} className={css['reached']}>
            <p>
              <time dateTime={at}>{stamp(at)}</time> {text}
            </p>
            <Button
              onClick={() => void setStop(code === null ? { level: 'user' } : { level: 'stock', code }, 'active')}
            >
              멈춤 풀기
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

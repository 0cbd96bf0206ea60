import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { downloadItem } from '../../api/download.ts'
import { read } from '../../api/read.ts'
import { Button } from '../../components/Button.tsx'
import { Field } from '../../components/Field.tsx'
import { Empty, QueryView } from '../../components/QueryView.tsx'
import { Page } from '../../components/Page.tsx'
import { Panel } from '../../components/Panel.tsx'
import { stamp } from '../../format/time.ts'
import { useHome } from '../../viewer/viewer.ts'
import { useTexts } from '../../url/query.ts'
import { usePathUser } from '../../url/user.ts'
import css from './AuditPage.module.css'
import { matching, withNames, type AuditEntry, type Names } from './auditText.ts'

const PAGE = 50
/** As many as one reading may have: whoever looks for something looks further back. */
const SEARCHED = 200

/** The names of the account's stocks; without them the lines have codes alone. */
function useNames(userId: string): Names {
  const flags = { withSavedGain: 'false', showOnlyWatch: 'false' } as const
  const { data = [] } = useQuery(read('stocks', { params: { userId }, query: flags }))
  return new Map(data.map(({ code, name }) => [code, name]))
}

/** Who changed what in this account: settings, log-ins, and everything an administrator did. */
export function AuditPage() {
  const userId = usePathUser()
  const home = useHome()
  const [text, setTexts] = useTexts()
  const [wanted, setWanted] = useState('')
  const names = useNames(userId)
  const before = text('before')
  const limit = wanted.trim() === '' ? PAGE : SEARCHED
  const query = useQuery({
    ...read('audit', { params: { userId }, query: { limit, ...(before && { before }) } }),
    // No event reports new entries: they are read at every visit.
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const fileItem = downloadItem('기록 내보내기(CSV)', 'exportTable', { params: { userId, table: 'audit' }, query: {} })
  return (
    <Page title="Audit" name="활동 기록" homeHref={home} menu={[fileItem]}>
      <QueryView
        query={query}
        heights={[690]}
        empty={{ when: (entries) => entries.length === 0, show: <Empty title="기록이 없습니다" /> }}
      >
        {(entries) => (
          <Panel>
            <Field
              label="기록에서 찾기"
              type="search"
              placeholder="종목, 사람, 한 일"
              value={wanted}
              onChange={setWanted}
            />
            <Entries entries={matching(entries, wanted, names)} names={names} />
            {entries.length === limit && (
              <Button wide onClick={() => setTexts({ before: entries.at(-1)?.at ?? '' })}>
                이전 기록 보기
              </Button>
            )}
          </Panel>
        )}
      </QueryView>
    </Page>
  )
}

function Entries({ entries, names }: { entries: readonly AuditEntry[]; names: Names }) {
  if (entries.length === 0)
    return <p className={css['none']}>여기에는 그런 기록이 없습니다. 다른 말로 찾거나 이전 기록을 보세요.</p>
  return (
    <ul className={css['audit']} aria-label="활동 기록">
      {entries.map(({ at, by, action, detail }) => (
        <li key={`${at} ${by} ${action} ${detail}`}>
          <p>
            <time dateTime={at}>{stamp(at)}</time> {by}
          </p>
          <b>{action}</b> <span>{withNames(detail, names)}</span>
        </li>
      ))}
    </ul>
  )
}

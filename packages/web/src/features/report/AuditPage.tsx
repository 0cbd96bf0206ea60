import { useQuery } from '@tanstack/react-query'
import { downloadItem } from '../../api/download.ts'
import { read } from '../../api/read.ts'
import { Button } from '../../components/Button.tsx'
import { Empty, QueryView } from '../../components/QueryView.tsx'
import { Page } from '../../components/Page.tsx'
import { Panel } from '../../components/Panel.tsx'
import { stamp } from '../../format/time.ts'
import { useHome } from '../../viewer/viewer.ts'
import { useTexts } from '../../url/query.ts'
import { usePathUser } from '../../url/user.ts'
import css from './AuditPage.module.css'

const PAGE = 50

/** Who changed what in this account: settings, and everything an administrator did. */
export function AuditPage() {
  const userId = usePathUser()
  const home = useHome()
  const [text, setTexts] = useTexts()
  const before = text('before')
  const query = useQuery({
    ...read('audit', { params: { userId }, query: { limit: PAGE, ...(before && { before }) } }),
    // No event reports new entries: they are read at every visit.
    staleTime: 0,
  })
  const fileItem = downloadItem('기록 내보내기(CSV)', 'exportTable', { params: { userId, table: 'audit' }, query: {} })
  return (
    <Page title="Audit" name="활동 기록" homeHref={home} menu={[fileItem]}>
      <QueryView
        query={query}
        empty={{ when: (entries) => entries.length === 0, show: <Empty title="기록이 없습니다" /> }}
      >
        {(entries) => (
          <Panel>
            <ul className={css['audit']}>
              {entries.map(({ at, by, action, detail }) => (
                <li key={`${at} ${by} ${action} ${detail}`}>
                  <p>
                    <time dateTime={at}>{stamp(at)}</time> {by}
                  </p>
                  <b>{action}</b> <span>{detail}</span>
                </li>
              ))}
            </ul>
            {entries.length === PAGE && (
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

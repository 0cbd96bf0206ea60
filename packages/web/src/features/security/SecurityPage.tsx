import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { Page } from '../../components/Page.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { usePathUser } from '../../url/user.ts'
import { useHome, useOthersPage } from '../../viewer/viewer.ts'
import { AppPanel } from './AppPanel.tsx'
import { CodesPanel } from './CodesPanel.tsx'
import { OthersFactors } from './OthersFactors.tsx'
import { PasskeyPanel } from './PasskeyPanel.tsx'
import { SessionPanel } from './SessionPanel.tsx'
import css from './Security.module.css'

/** How somebody logs in, and where they are logged in now. */
export function SecurityPage() {
  const userId = usePathUser()
  const home = useHome()
  const others = useOthersPage()
  const query = useQuery(read('factors', { params: { userId } }))
  // No event reports a log-in elsewhere: they are read at every visit.
  const sessions = useQuery({ ...read('sessions', { params: { userId } }), staleTime: 0 })
  return (
    <Page title="Security" name="보안" homeHref={home}>
      <QueryView query={query} heights={[420]}>
        {(factors) =>
          others ? (
            <OthersFactors factors={factors} />
          ) : (
            <>
              {factors.required && factors.passkeys.length === 0 && factors.totp === null && (
                <p role="alert" className={css['required']}>
                  이 서버는 두 번째 인증을 해야 쓸 수 있습니다. 아래에서 패스키나 인증 앱을 하나 더해 주세요.
                </p>
              )}
              <PasskeyPanel factors={factors} />
              <AppPanel factors={factors} />
              <CodesPanel factors={factors} />
            </>
          )
        }
      </QueryView>
      {/* Not before what stands above it: that would push it down. */}
      {!query.isPending && <SessionPanel query={sessions} />}
    </Page>
  )
}

import { useState } from 'react'
import { Page } from '../../components/Page.tsx'
import { Panel } from '../../components/Panel.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { useHome, useOthersPage } from '../../viewer/viewer.ts'
import { MakeToken } from './MakeToken.tsx'
import { NewToken } from './NewToken.tsx'
import { TokenList } from './TokenList.tsx'
import { useTokens } from './tokenQueries.ts'
import { HOW } from './tokenText.ts'
import css from './Tokens.module.css'

/** Secrets by which programs of the account's person ask: made here, shown once, and made void. */
export function TokensPage() {
  const home = useHome()
  const others = useOthersPage()
  const query = useTokens()
  // Only here, and gone with the page: the server keeps no more than its hash.
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <Page title="API Tokens" name="API 토큰" homeHref={home}>
      <QueryView query={query} heights={[430, 220]}>
        {(tokens) => (
          <>
            <Panel label="새 토큰">
              <h2>새 토큰</h2>
              <p className={css['note']}>
                직접 만든 프로그램이나 비서가 로그인 없이 이 계좌를 보게 하는 비밀 글자입니다. 프로그램은{' '}
                <code>{HOW}</code>
                으로 보냅니다. 다른 계좌와 관리자 기능, 비밀번호, 증권사 정보는 어떤 토큰으로도 볼 수 없습니다.
              </p>
              {others ? (
                <p className={css['note']}>토큰은 이 계좌의 주인만 만들 수 있습니다.</p>
              ) : secret === null ? (
                <MakeToken onMade={setSecret} />
              ) : (
                <NewToken secret={secret} onDone={() => setSecret(null)} />
              )}
            </Panel>
            <TokenList tokens={tokens} />
          </>
        )}
      </QueryView>
    </Page>
  )
}

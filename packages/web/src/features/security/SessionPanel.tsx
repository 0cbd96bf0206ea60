import type { Reply } from '@digger/contract'
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { Tag } from '../../components/Badge.tsx'
import { BreakableAddress } from '../../components/BreakableAddress.tsx'
import { Button } from '../../components/Button.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Empty, QueryView } from '../../components/QueryView.tsx'
import { stamp } from '../../format/time.ts'
import { usePathUser } from '../../url/user.ts'
import { useOthersPage } from '../../viewer/viewer.ts'
import { Stamp } from './Stamp.tsx'
import css from './Security.module.css'

type OpenSession = Reply<'sessions'>[number]
const FACTORS = { totp: '인증 앱', code: '복구 코드', passkey: '패스키' } as const

/** Where somebody is logged in; each can be ended. */
export function SessionPanel({ query }: { query: UseQueryResult<OpenSession[]> }) {
  const userId = usePathUser()
  const client = useQueryClient()
  const others = useOthersPage()
  const left = query.data?.filter(({ current }) => !current).length ?? 0
  const endAll = async () => {
    const note = others ? '이 사용자는 모든 기기에서 다시 로그인해야 합니다.' : '지금 보고 있는 이 기기만 남습니다.'
    if (!(await ask.confirm(`로그인한 기기 ${left}곳을 끝낼까요?`, { note, yes: '모두 끝내기', danger: true }))) return
    if ((await send('endOtherSessions', { params: { userId } })) !== null) await client.invalidateQueries()
  }
  return (
    <Panel label="로그인한 기기">
      <div className={css['panel']}>
        <h2>로그인한 기기</h2>
        <QueryView
          query={query}
          rows={2}
          empty={{ when: (sessions) => sessions.length === 0, show: <Empty title="로그인한 기기가 없습니다" /> }}
        >
          {(sessions) => (
            <>
              <p className={css['note']}>모르는 기기가 있으면 끝내고 비밀번호를 바꿔 주세요.</p>
              <ul className={css['rows']}>
                {sessions.map((session) => (
                  <Row key={session.id} session={session} />
                ))}
              </ul>
              {left > 0 && (
                <Button look="risk" onClick={() => void endAll()}>
                  {others ? '모두 끝내기' : '다른 기기 모두 끝내기'}
                </Button>
              )}
            </>
          )}
        </QueryView>
      </div>
    </Panel>
  )
}

function Row({ session: { id, device, address, createdAt, usedAt, factor, current } }: { session: OpenSession }) {
  const userId = usePathUser()
  const client = useQueryClient()
  const end = async () => {
    const note = '그 기기에서는 다시 로그인해야 합니다.'
    if (!(await ask.confirm(`${device}: 로그인을 끝낼까요?`, { note, yes: '끝내기', danger: true }))) return
    if ((await send('endSession', { params: { userId, sessionId: id } })) !== null) await client.invalidateQueries()
  }
  return (
    <li>
      <div className={css['head']}>
        <h3>{device}</h3>
        <span className={css['tags']}>
          {factor !== null && <Tag text={FACTORS[factor]} tone="plain" />}
          {current && <Tag text="이 기기" tone="blue" />}
        </span>
      </div>
      <p className={css['note']}>
        <BreakableAddress address={address} /> · 로그인 <Stamp at={createdAt} /> · 마지막 사용 <Stamp at={usedAt} />
      </p>
      {!current && (
        <Button look="quiet" aria-label={`${device} ${stamp(createdAt)} 끝내기`} onClick={() => void end()}>
          끝내기
        </Button>
      )}
    </li>
  )
}

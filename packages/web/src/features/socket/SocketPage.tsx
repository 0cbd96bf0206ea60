import type { Reply } from '@digger/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../api/read.ts'
import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { Button } from '../../components/Button.tsx'
import { Empty, QueryView } from '../../components/QueryView.tsx'
import { Page } from '../../components/Page.tsx'
import { Panel } from '../../components/Panel.tsx'
import { gap } from '../../format/time.ts'
import { useHome } from '../../viewer/viewer.ts'
import { useNow } from '../../clock/now.ts'
import { usePathUser } from '../../url/user.ts'
import css from './SocketPage.module.css'

type Info = Reply<'socket'>

export function SocketPage() {
  const userId = usePathUser()
  const home = useHome()
  const [busy, setBusy] = useState(false)
  const query = useQuery({ ...read('socket', { params: { userId } }), refetchInterval: 5_000 })
  const change = async (name: 'connectSocket' | 'disconnectSocket') => {
    if (busy || (name === 'disconnectSocket' && !(await isSure()))) return
    setBusy(true)
    await send(name, { params: { userId } })
    setBusy(false)
  }
  return (
    <Page title="Socket" name="시세 연결" homeHref={home}>
      <QueryView query={query} heights={[189, 44, 600]}>
        {(info) => (
          <>
            <Status info={info} />
            <div className={css['buttons']}>
              <Button look="main" disabled={busy || info.connected} onClick={() => void change('connectSocket')}>
                연결
              </Button>
              <Button disabled={busy || !info.connected} onClick={() => void change('disconnectSocket')}>
                끊기
              </Button>
            </div>
            <Stocks stocks={info.stocks} />
          </>
        )}
      </QueryView>
    </Page>
  )
}

const isSure = () =>
  ask.confirm('시세 연결을 끊을까요?', {
    note: '새 가격이 오지 않아 자동으로 사지 않습니다. 걸어 둔 주문은 증권사에 그대로 있어 체결될 수 있고, 목표가 매도는 나갈 수 있습니다. ‘연결’을 누르면 다시 이어집니다.',
    yes: '끊기',
    danger: true,
  })

function Status({ info }: { info: Info }) {
  const times = [
    ['connected at', '연결한 지', info.connectedAt],
    ['ordered at', '마지막 주문 알림', info.orderedAt],
    ['disconnected at', '끊긴 지', info.disconnectedAt],
    ['updated at', '마지막 시세', info.updatedAt],
  ] as const
  return (
    <Panel>
      <p className={css['state']} data-on={info.connected}>
        {info.connected ? '연결됨' : '끊김'}
      </p>
      <dl className={css['times']}>
        {times.map(
          ([name, meaning, at]) =>
            at !== null && (
              <div key={name}>
                <dt>
                  {meaning} <small>{name}</small>
                </dt>
                <dd>
                  <Gap at={at} />
                </dd>
              </div>
            ),
        )}
      </dl>
    </Panel>
  )
}

function Gap({ at }: { at: string }) {
  return useNow((now) => gap(now - Date.parse(at)))
}

function Stocks({ stocks }: { stocks: Info['stocks'] }) {
  if (stocks.length === 0) return <Empty title="시세를 받는 종목이 없습니다" />
  return (
    <Panel>
      <h2>종목별 마지막 시세</h2>
      <ul className={css['stocks']}>
        {stocks.map(({ code, name, updatedAt }) => (
          <li key={code}>
            <span>
              {name} <small>{code}</small>
            </span>
            <b>{updatedAt === null ? 'UNKNOWN' : <Gap at={updatedAt} />}</b>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

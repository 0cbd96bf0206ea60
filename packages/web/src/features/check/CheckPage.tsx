import type { FindingLevel, Reply } from '@digger/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../api/read.ts'
import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { Button } from '../../components/Button.tsx'
import { Page } from '../../components/Page.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Empty, QueryView } from '../../components/QueryView.tsx'
import { stamp } from '../../format/time.ts'
import { usePathUser } from '../../url/user.ts'
import { useHome } from '../../viewer/viewer.ts'
import css from './CheckPage.module.css'
import { groupsOf, reportText, type Group } from './groups.ts'

type Check = Reply<'connectionCheck'>

/** While one runs it is looked at each second, else no more than any page. */
const RUNNING_MS = 1_000

export function CheckPage() {
  const userId = usePathUser()
  const home = useHome()
  const given = { params: { userId } }
  const { queryKey, ...asked } = read('connectionCheck', given)
  const query = useQuery({
    queryKey,
    ...asked,
    refetchInterval: ({ state }) => (state.data?.running ? RUNNING_MS : false),
  })
  const client = useQueryClient()
  const start = async () => {
    const check = await send('startConnectionCheck', given)
    if (check !== null) client.setQueryData(queryKey, check)
  }
  return (
    <Page title="Check" name="연결 점검" homeHref={home}>
      <QueryView query={query} heights={[120, 300]}>
        {(check) => (
          <>
            <Start check={check} start={start} />
            {check.checkedAt === null ? (
              <Empty title="아직 점검한 적이 없습니다" />
            ) : (
              groupsOf(check).map((group) => <Findings key={group.level} group={group} />)
            )}
          </>
        )}
      </QueryView>
    </Page>
  )
}

function Start({ check, start }: { check: Check; start: () => Promise<void> }) {
  const [busy, setBusy] = useState(false)
  const { running, checkedAt } = check
  const press = async () => {
    setBusy(true)
    await start()
    setBusy(false)
  }
  return (
    <Panel>
      <p>증권사에 읽기만 하고 주문은 내지 않습니다. 온 답을 디거가 믿는 것과 견주어 다른 점을 모두 알려 드려요.</p>
      <output className={css['state']}>
        {running !== null
          ? `점검하고 있습니다 (${running.done}/${running.total}) ${running.name ?? ''}`
          : checkedAt !== null && `마지막 점검 ${stamp(checkedAt)}`}
      </output>
      <div className={css['buttons']}>
        <Button look="main" disabled={busy || running !== null} onClick={() => void press()}>
          점검 시작
        </Button>
        {checkedAt !== null && <CopyReport check={check} />}
      </div>
    </Panel>
  )
}

function CopyReport({ check }: { check: Check }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(reportText(check))
      setCopied(true)
    } catch {
      // Browsers offer the clipboard only to pages that came by HTTPS or from the machine itself.
      await ask.alert('복사하지 못했습니다.', '글을 길게 눌러 직접 복사해 주세요.')
    }
  }
  return <Button onClick={() => void copy()}>{copied ? '복사했습니다' : '결과 복사'}</Button>
}

const MEANING: Readonly<Record<FindingLevel, string>> = {
  wrong: '자동매매를 시작하기 전에 확인해 주세요.',
  note: '알고 있던 것과 다르지만 매매는 그대로입니다.',
  notOffered: '이 환경에서 증권사가 주지 않는 것입니다.',
  notTried: '이번에 보지 않은 것입니다.',
  ok: '디거가 믿는 것과 같습니다.',
}

function Findings({ group: { level, title, findings } }: { group: Group }) {
  return (
    <Panel label={title}>
      <h2 className={css['title']} data-level={level}>
        {title} {findings.length}
      </h2>
      <p className={css['meaning']}>{MEANING[level]}</p>
      <ul className={css['findings']}>
        {findings.map(({ check, text, details }) => (
          <li key={`${check} ${text}`}>
            <b>{check}</b>
            <p>{text}</p>
            {details.length > 0 && (
              <details>
                <summary>자세히</summary>
                <dl>
                  {details.map(([name, value]) => (
                    <div key={name}>
                      <dt>{name}</dt>
                      <dd>{value}</dd>
                    </div>
                  ))}
                </dl>
              </details>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { read } from '../../api/read.ts'
import { Button } from '../../components/Button.tsx'
import { Icon } from '../../components/Icon.tsx'
import { Empty } from '../../components/QueryView.tsx'
import { usePathUser } from '../../url/user.ts'
import { useViewer } from '../../viewer/viewer.ts'
import css from './FirstSteps.module.css'
import { useAddStock } from './useAddStock.ts'

/** What there is to do where nothing is held: with stocks that are listed, wait; without any, the first steps. */
export function FirstSteps() {
  const userId = usePathUser()
  const query = { withSavedGain: 'true', showOnlyWatch: 'false' } as const
  const { data: stocks } = useQuery(read('stocks', { params: { userId }, query }))
  return (
    <Empty title="보유한 종목이 없습니다">
      {stocks?.length === 0 ? (
        <Steps />
      ) : (
        <p>
          지켜보는 종목은 <Link href={`/${userId}/stock`}>종목 화면</Link>에 있습니다.
        </p>
      )}
    </Empty>
  )
}

function Steps() {
  const { mayAdd } = useViewer()
  const add = useAddStock()
  return (
    <ol className={css['steps']} aria-label="첫 걸음">
      <Connection />
      <Step number={2} name={mayAdd ? '종목 추가' : '종목 요청'}>
        {mayAdd ? (
          <Button look="main" onClick={() => void add()}>
            종목 추가
          </Button>
        ) : (
          '종목은 관리자가 추가합니다. 사고 싶은 종목을 관리자에게 말해 주세요.'
        )}
      </Step>
      <Step number={3} name="설정">
        종목이 생기면 얼마에 얼마까지 살지 정합니다. 켜기 전에는 아무것도 사지 않습니다.
      </Step>
    </ol>
  )
}

/** The first step, which the sign-up has done where the broker took all it was given. */
function Connection() {
  const userId = usePathUser()
  const { data } = useQuery(read('socket', { params: { userId } }))
  const connected = data?.connected === true
  return (
    <Step number={1} name={connected ? '증권사 연결됨' : '증권사 연결'} done={connected}>
      {connected && '증권사 계좌와 시세가 이어져 있습니다.'}
      {data?.refused === true && (
        <>
          증권사가 키나 HTS ID를 받지 않거나 체결 통보를 열어 주지 않았습니다.{' '}
          <Link href={`/${userId}/credentials`}>증권사 정보 고치기</Link>
        </>
      )}
      {data?.connected === false &&
        !data.refused &&
        '잇는 중입니다. 몇 분이 지나도 이어지지 않으면 ‘시세 연결’을 보세요.'}
    </Step>
  )
}

interface StepProps {
  number: number
  name: string
  done?: boolean
  children: ReactNode
}

function Step({ number, name, done = false, children }: StepProps) {
  return (
    <li data-done={done}>
      <span className={css['mark']} aria-hidden="true">
        {done ? <Icon name="check" size={18} /> : number}
      </span>
      <div>
        <b>{name}</b>
        <div>{children}</div>
      </div>
    </li>
  )
}

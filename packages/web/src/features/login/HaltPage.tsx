import { useState, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { asProblem } from '../../api/problem.ts'
import { Button } from '../../components/Button.tsx'
import { pressStopLink, stopTokenIn } from '../../stops/pressStop.ts'
import { AuthFrame } from './AuthFrame.tsx'
import css from './HaltPage.module.css'

const NAME = '모두 취소하고 멈춤'

/** What a stop link opens: for whoever has it, without a log-in. It shows nothing of the account before the press. */
export function HaltPage() {
  const token = useSyncExternalStore(watchHash, () => stopTokenIn(location.hash), nobodys)
  // What came of one link is not shown under another.
  return token === null ? <NoLink /> : <Halt key={token} token={token} />
}

/** Another link in the same tab changes only what follows the #. */
function watchHash(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}
const nobodys = () => null

type Outcome = { readonly done: boolean; readonly message: string }

function Halt({ token }: { token: string }) {
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const press = async () => {
    setBusy(true)
    setOutcome(null)
    setOutcome(
      await pressStopLink(token).then(
        ({ message }) => ({ done: true, message }),
        (error: unknown) => ({ done: false, message: asProblem(error).message }),
      ),
    )
    setBusy(false)
  }
  return (
    <AuthFrame
      name="멈춤"
      lead="누르면 Digger가 스스로 낸 주문을 모두 취소하고 이 링크의 계좌를 멈춥니다. 직접 낸 주문은 그대로 둡니다."
    >
      <div className={css['press']}>
        <Button look="danger" wide disabled={busy} onClick={() => void press()}>
          {busy ? '멈추는 중' : NAME}
        </Button>
      </div>
      {outcome?.done && <output className={css['outcome']}>{outcome.message}</output>}
      {outcome?.done === false && (
        <div className={css['failure']} role="alert">
          {outcome.message}
        </div>
      )}
      <p>
        다시 시작하려면 로그인해야 합니다. <Link href="/login">로그인</Link>
      </p>
    </AuthFrame>
  )
}

const NoLink = () => (
  <AuthFrame name="멈춤" lead="이 주소에는 멈춤 링크가 없습니다.">
    <p>
      링크를 끝까지 복사했는지 보거나, 로그인해서 화면 위의 ‘멈추기’를 눌러 주세요. 급하면 증권사 앱에서 취소해 주세요.
    </p>
    <p>
      <Link href="/login">로그인</Link>
    </p>
  </AuthFrame>
)

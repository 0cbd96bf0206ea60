import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { Button } from '../../components/Button.tsx'
import { Panel } from '../../components/Panel.tsx'
import { usePathUser } from '../../url/user.ts'
import css from './Security.module.css'
import { type FactorsView, showCodes, usePutFactors } from './useFactors.tsx'

/** Of ten: with so few left its person is asked to make new ones. */
const FEW = 3

export function CodesPanel({ factors }: { factors: FactorsView }) {
  const userId = usePathUser()
  const put = usePutFactors()
  if (factors.passkeys.length === 0 && factors.totp === null) return null
  const { codes } = factors
  const make = async () => {
    const note = '전에 적어 둔 코드는 바로 쓸 수 없게 됩니다.'
    if (!(await ask.confirm('복구 코드를 새로 만들까요?', { note, yes: '새로 만들기', danger: true }))) return
    const made = await send('makeCodes', { params: { userId }, body: {} })
    if (made === null) return
    await showCodes(made.codes, false)
    await put({ ...factors, codes: made.codes.length })
  }
  return (
    <Panel label="복구 코드">
      <div className={css['panel']}>
        <h2>복구 코드</h2>
        <p className={css['note']}>
          휴대폰을 잃어버렸을 때 두 번째 인증 대신 하나씩 한 번만 씁니다. {codes}개 남았습니다.
        </p>
        {codes <= FEW && (
          <p role="alert" className={css['alert']}>
            남은 코드가 적습니다. 새로 만들어 적어 두세요.
          </p>
        )}
        <Button onClick={() => void make()}>새로 만들기</Button>
      </div>
    </Panel>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { Button } from '../../components/Button.tsx'
import { Facts, Panel } from '../../components/Panel.tsx'
import { usePathUser } from '../../url/user.ts'
import css from './Security.module.css'
import type { FactorsView } from './useFactors.tsx'

/** What an administrator sees of another's: what there is, and the way back for who has lost everything. */
export function OthersFactors({ factors: { passkeys, totp, codes } }: { factors: FactorsView }) {
  const userId = usePathUser()
  const client = useQueryClient()
  const has = passkeys.length > 0 || totp !== null
  const reset = async () => {
    const note =
      '비밀번호만으로 로그인하게 되고, 지금 로그인한 기기는 모두 끝납니다. 본인이 맞는지 먼저 확인해 주세요. 본인에게 알림이 갑니다.'
    if (!(await ask.confirm('두 번째 인증을 모두 없앨까요?', { note, yes: '없애기', danger: true }))) return
    if ((await send('resetFactors', { params: { userId } })) !== null) await client.invalidateQueries()
  }
  return (
    <Panel label="두 번째 인증">
      <div className={css['panel']}>
        <h2>두 번째 인증</h2>
        <Facts
          facts={[
            ['패스키', `${passkeys.length}개`],
            ['인증 앱', totp === null ? '없음' : '연결됨'],
            ['복구 코드', `${codes}개`],
          ]}
        />
        <p className={css['note']}>로그인 방법은 본인만 바꿀 수 있습니다. 모두 잃어버렸으면 없애 줄 수 있습니다.</p>
        {has && (
          <Button look="risk" onClick={() => void reset()}>
            두 번째 인증 없애기
          </Button>
        )}
      </div>
    </Panel>
  )
}

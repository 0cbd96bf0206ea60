import { readNumber } from '@digger/contract/typed-number'
import type { Stock } from '@digger/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../api/send.ts'
import { putStocks } from '../../api/stockCache.ts'
import { ask } from '../../ask/ask.ts'
import { Field } from '../../components/Field.tsx'
import { Panel } from '../../components/Panel.tsx'
import { SubmitForm } from '../../components/SubmitForm.tsx'
import { number } from '../../format/won.ts'
import { usePathUser } from '../../url/user.ts'

/** How many of the shares at the broker the person keeps for themselves; saved apart from the settings. */
export function OwnShares({ stock }: { stock: Stock }) {
  const userId = usePathUser()
  const client = useQueryClient()
  const [kept, setKept] = useState(stock.kept)
  const [text, setText] = useState(number(kept))
  const [error, setError] = useState<string>()
  if (stock.kept !== kept) {
    setKept(stock.kept)
    // What somebody is typing stays.
    if (text === number(kept)) setText(number(stock.kept))
  }
  const check = () => {
    const wrong = wrongShares(text)
    setError(wrong ?? undefined)
    return wrong === null
  }
  const save = async () => {
    const saved = await send('keepShares', { params: { userId, code: stock.code }, body: { count: text } })
    if (saved === null) return
    putStocks(client, userId, [saved])
    setText(number(saved.kept))
    await ask.alert(
      'done',
      '저장했습니다. 증권사 잔고와 다시 비교해, 장부와 맞으면 자동 매매를 이어 가고 다르면 이 종목에 알립니다.',
    )
  }
  return (
    <Panel label="직접 관리">
      <h2>내가 직접 관리하는 주식</h2>
      <SubmitForm action="수량 정하기" check={check} onSubmit={save}>
        <Field
          label="직접 관리하는 주식"
          unit="주"
          inputMode="numeric"
          autoComplete="off"
          value={text}
          onChange={setText}
          error={error}
          help="증권사에 있는 이 종목 가운데 이만큼은 Digger가 장부에 넣지 않고 팔지도 않습니다. 앱에서 팔았으면 여기서도 줄여 주세요. 증권사의 주식이 모자라는 동안 이 종목의 자동 매도가 멈춥니다."
        />
      </SubmitForm>
    </Panel>
  )
}

/** Why a typed text is no number of shares; null when it may be sent. */
export function wrongShares(text: string): string | null {
  const count = readNumber(text)
  return typeof count === 'number' && Number.isInteger(count) && count >= 0
    ? null
    : '0 이상의 정수로 넣어 주세요. 없으면 0입니다.'
}

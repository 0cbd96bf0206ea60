import { useEffect, useId, useRef } from 'react'
import { ask } from '../../ask/ask.ts'
import { Button } from '../../components/Button.tsx'
import { isCopied } from '../../components/isCopied.ts'
import css from './Tokens.module.css'

/** The secret of a token that was just made, and the way to keep it. */
export function NewToken({ secret, onDone }: { secret: string; onDone: () => void }) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const copy = async () => {
    if (await isCopied(secret)) return ask.alert('토큰을 복사했습니다.', '비밀번호처럼 다뤄 주세요.')
    field.current?.select()
    return ask.alert('복사하지 못했습니다.', '토큰을 길게 눌러 직접 복사해 주세요.')
  }
  return (
    <div className={css['anew']}>
      <label htmlFor={id}>새 API 토큰</label>
      <textarea
        ref={field}
        id={id}
        value={secret}
        rows={2}
        readOnly
        spellCheck={false}
        aria-describedby={`${id}-help`}
      />
      <p id={`${id}-help`} className={css['note']}>
        지금만 보입니다. 화면을 떠나면 다시 볼 수 없으니 프로그램에 넣어 두세요.
      </p>
      <div className={css['buttons']}>
        <Button look="main" onClick={() => void copy()}>
          복사
        </Button>
        <Button onClick={onDone}>넣었습니다</Button>
      </div>
    </div>
  )
}

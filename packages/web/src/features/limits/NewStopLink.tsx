import { useId, useRef } from 'react'
import { ask } from '../../ask/ask.ts'
import { Button } from '../../components/Button.tsx'
import { isCopied } from '../../components/isCopied.ts'
import css from './StopLinkPanel.module.css'

/** The whole address of a link that was just made, and the ways to keep it. */
export function NewStopLink({ path }: { path: string }) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const address = `${location.origin}${path}`
  const copy = async () => {
    if (await isCopied(address)) return ask.alert('링크를 복사했습니다.', '비밀번호처럼 다뤄 주세요.')
    field.current?.select()
    return ask.alert('복사하지 못했습니다.', '주소를 길게 눌러 직접 복사해 주세요.')
  }
  return (
    <div className={css['anew']}>
      <label htmlFor={id}>새 멈춤 링크</label>
      <textarea ref={field} id={id} value={address} rows={3} readOnly aria-describedby={`${id}-help`} />
      <p id={`${id}-help`}>지금만 보입니다. 화면을 떠나면 다시 볼 수 없으니 안전한 곳에 두세요.</p>
      <div className={css['buttons']}>
        <Button look="main" onClick={() => void copy()}>
          복사
        </Button>
        {'share' in navigator && <Button onClick={() => void share(address)}>공유</Button>}
      </div>
    </div>
  )
}

/** Whoever closes the sheet of the system shared nothing, which is no failure. */
const share = (url: string): Promise<void> => navigator.share({ title: 'Digger 멈춤 링크', url }).catch(() => undefined)

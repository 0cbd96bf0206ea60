import { useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { isCopied } from '../../components/isCopied.ts'
import { Modal } from '../../components/Modal.tsx'
import css from './Security.module.css'

interface Props {
  codes: readonly string[]
  /** Whether they came with the first factor, which ends what showed a password alone. */
  first: boolean
  onClose: () => void
}

/** The ten codes that open once each, for the only time that they are seen. */
export function NewCodes({ codes, first, onClose }: Props) {
  const [copied, setCopied] = useState<string>()
  const copy = async () => {
    const done = await isCopied(codes.join('\n'))
    setCopied(done ? '복사했습니다. 비밀번호처럼 다뤄 주세요.' : '복사하지 못했습니다. 직접 적어 두세요.')
  }
  return (
    <Modal label="복구 코드" look="box" onClose={onClose} persistent locked>
      <div className={css['dialog']}>
        <h2>복구 코드</h2>
        <p className={css['note']}>
          휴대폰을 잃어버렸을 때 하나씩 한 번만 쓸 수 있습니다. 지금만 보이니 적거나 인쇄해서 휴대폰과 다른 곳에 두세요.
        </p>
        {first && <p className={css['note']}>다른 기기의 로그인은 모두 끝냈습니다.</p>}
        <ul className={css['codes']} aria-label="복구 코드 열 개">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        {copied !== undefined && <output>{copied}</output>}
        <div className={css['pair']}>
          <Button onClick={() => void copy()}>복사</Button>
          <Button look="main" onClick={onClose}>
            적어 두었습니다
          </Button>
        </div>
      </div>
    </Modal>
  )
}

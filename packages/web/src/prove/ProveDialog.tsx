import type { Input, ProofWays } from '@digger/contract'
import { useState, type FormEvent } from 'react'
import { ask } from '../ask/ask.ts'
import { Button } from '../components/Button.tsx'
import { Field } from '../components/Field.tsx'
import { Modal } from '../components/Modal.tsx'
import { SecretField } from '../components/SecretField.tsx'
import { passkeyTrouble, showPasskey } from './passkey.ts'
import css from './ProveDialog.module.css'

export type Proof = Input<'stepUp'>['body']
/** Why it was not taken, and by what it can be tried again. */
export interface NotTaken {
  message: string
  ways?: ProofWays | undefined
}
/** Shows what its person typed to the server; null: taken. */
type Try = (proof: Proof) => Promise<NotTaken | null>

interface Asked {
  title: string
  note: string
  ways: ProofWays
  attempt: Try
}

/** Asks who it is, until the server takes an answer. False: given up. */
export async function askProof(asked: Asked): Promise<boolean> {
  let taken = false
  await ask.panel((close) => (
    <ProveDialog
      {...asked}
      onTaken={() => {
        taken = true
        close()
      }}
      onClose={close}
    />
  ))
  return taken
}

type Typed = 'password' | 'totp' | 'code'

/** What was typed, what came of it, and how it can be tried again. */
function useProof({ ways: first, attempt }: Asked, onTaken: () => void) {
  const [ways, setWays] = useState(first)
  const [kind, setKind] = useState<Typed | null>(() => typedFirst(first))
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const show = async (proof: () => Promise<Proof | null>) => {
    setBusy(true)
    setError(undefined)
    const given = await proof()
    const refused = given && (await attempt(given))
    setBusy(false)
    if (given === null) return
    if (refused === null) return onTaken()
    setText('')
    setError(refused.message)
    if (refused.ways) setWays(refused.ways)
  }
  const byPasskey = async (): Promise<Proof | null> => {
    try {
      return ways.passkey && (await showPasskey(ways.passkey))
    } catch (cause) {
      setError(passkeyTrouble(cause) ?? undefined)
      return null
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (kind === null || busy) return
    if (text.trim() === '') return setError('넣어 주세요.')
    void show(() => Promise.resolve(proofOf(kind, text)))
  }
  return { ways, kind, setKind, text, setText, error, busy, submit, pressPasskey: () => void show(byPasskey) }
}

function ProveDialog({ onTaken, onClose, ...asked }: Asked & { onTaken: () => void; onClose: () => void }) {
  const { title, note } = asked
  const { ways, kind, setKind, text, setText, error, busy, submit, pressPasskey } = useProof(asked, onTaken)
  return (
    <Modal label={title} look="box" onClose={onClose} persistent>
      <form className={css['body']} method="dialog" onSubmit={submit} noValidate>
        <p className={css['title']}>{title}</p>
        <p className={css['note']}>{note}</p>
        {ways.passkey && (
          <Button look={kind === null ? 'main' : 'plain'} wide disabled={busy} onClick={pressPasskey}>
            패스키로 확인
          </Button>
        )}
        {kind === null && error !== undefined && <p role="alert">{error}</p>}
        {kind !== null && <TypedProof kind={kind} text={text} error={error} onChange={setText} />}
        <OtherWays ways={ways} kind={kind} choose={setKind} />
        <div className={css['buttons']}>
          <Button onClick={onClose}>취소</Button>
          {kind !== null && (
            <Button look="main" type="submit" disabled={busy}>
              확인
            </Button>
          )}
        </div>
      </form>
    </Modal>
  )
}

/** A passkey is one press: it stands alone until another way is wanted. */
const typedFirst = ({ password, totp, passkey }: ProofWays): Typed | null =>
  password ? 'password' : totp ? 'totp' : passkey ? null : 'code'

function proofOf(kind: Typed, text: string): Proof {
  if (kind === 'password') return { password: text }
  return kind === 'totp' ? { totp: text.replaceAll(/\s/g, '') } : { code: text.trim() }
}

interface TypedProps {
  kind: Typed
  text: string
  error: string | undefined
  onChange: (text: string) => void
}

function TypedProof({ kind, ...field }: TypedProps) {
  const shared = { value: field.text, error: field.error, onChange: field.onChange, autoFocus: true }
  if (kind === 'password') return <SecretField label="비밀번호" autoComplete="current-password" {...shared} />
  if (kind === 'totp')
    return (
      <Field
        label="인증 앱의 여섯 자리 숫자"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        {...shared}
      />
    )
  return <Field label="복구 코드" autoComplete="off" autoCapitalize="none" spellCheck={false} {...shared} />
}

interface OtherProps {
  ways: ProofWays
  kind: Typed | null
  choose: (kind: Typed) => void
}

function OtherWays({ ways, kind, choose }: OtherProps) {
  return (
    <>
      {ways.totp && kind !== 'totp' && (
        <Button look="quiet" onClick={() => choose('totp')}>
          인증 앱의 숫자로 하기
        </Button>
      )}
      {ways.codes > 0 && kind !== 'code' && (
        <Button look="quiet" onClick={() => choose('code')}>
          복구 코드로 하기 ({ways.codes}개 남음)
        </Button>
      )}
    </>
  )
}

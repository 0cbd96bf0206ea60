import { useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { Button } from '../../components/Button.tsx'
import { Field } from '../../components/Field.tsx'
import { Page } from '../../components/Page.tsx'
import { Panel } from '../../components/Panel.tsx'
import { useHome, logOut, useViewer } from '../../viewer/viewer.ts'
import { usePathUser } from '../../url/user.ts'
import css from './PasswordPage.module.css'
import { RULE, useForm } from './useForm.ts'

export function PasswordPage() {
  const { texts, field, check } = useForm({ oldPassword: '', newPassword: '', newPasswordCheck: '' })
  const [busy, setBusy] = useState(false)
  const userId = usePathUser()
  const { admin } = useViewer()
  const client = useQueryClient()
  const home = useHome()

  const update = async () => {
    if (busy || !check()) return
    const { oldPassword, newPassword, newPasswordCheck } = texts
    if (newPassword !== newPasswordCheck)
      return void ask.alert('check password!', '새 비밀번호와 확인이 서로 다릅니다.')
    setBusy(true)
    const reply = await send('changePassword', { params: { userId }, body: { oldPassword, newPassword } })
    setBusy(false)
    if (reply) await logOut(client, admin)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void update()
  }

  return (
    <Page title="Password" name="비밀번호 변경" homeHref={home}>
      <Panel>
        <form className={css['form']} onSubmit={submit} noValidate>
          <Field label="지금 비밀번호" type="password" autoComplete="current-password" {...field('oldPassword')} />
          <Field
            label="새 비밀번호"
            type="password"
            autoComplete="new-password"
            help={RULE}
            {...field('newPassword')}
          />
          <Field label="새 비밀번호 확인" type="password" autoComplete="new-password" {...field('newPasswordCheck')} />
          <p>바꾸면 로그아웃됩니다. 새 비밀번호로 다시 로그인해 주세요.</p>
          <Button look="main" type="submit" wide disabled={busy}>
            UPDATE
          </Button>
        </form>
      </Panel>
    </Page>
  )
}

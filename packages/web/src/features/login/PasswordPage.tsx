import { useQueryClient } from '@tanstack/react-query'
import { send } from '../../api/send.ts'
import { Field } from '../../components/Field.tsx'
import { Page } from '../../components/Page.tsx'
import { Panel } from '../../components/Panel.tsx'
import { SubmitForm } from '../../components/SubmitForm.tsx'
import { usePathUser } from '../../url/user.ts'
import { logOut, useHome, useViewer } from '../../viewer/viewer.ts'
import { isRepeated, PASSWORD_RULE, useForm } from './useForm.ts'

export function PasswordPage() {
  const { texts, field, check } = useForm({ oldPassword: '', newPassword: '', newPasswordCheck: '' })
  const userId = usePathUser()
  const { admin } = useViewer()
  const client = useQueryClient()
  const home = useHome()
  const { oldPassword, newPassword, newPasswordCheck } = texts
  const checkAll = () => check() && isRepeated(newPassword, newPasswordCheck, '새 비밀번호와 확인이 서로 다릅니다.')

  const update = async () => {
    const reply = await send('changePassword', { params: { userId }, body: { oldPassword, newPassword } })
    if (reply) await logOut(client, admin)
  }

  return (
    <Page title="Password" name="비밀번호 변경" homeHref={home}>
      <Panel>
        <SubmitForm action="UPDATE" check={checkAll} onSubmit={update}>
          <Field label="지금 비밀번호" type="password" autoComplete="current-password" {...field('oldPassword')} />
          <Field
            label="새 비밀번호"
            type="password"
            autoComplete="new-password"
            help={PASSWORD_RULE}
            {...field('newPassword')}
          />
          <Field label="새 비밀번호 확인" type="password" autoComplete="new-password" {...field('newPasswordCheck')} />
          <p>바꾸면 로그아웃됩니다. 새 비밀번호로 다시 로그인해 주세요.</p>
        </SubmitForm>
      </Panel>
    </Page>
  )
}

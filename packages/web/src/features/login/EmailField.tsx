import { Field } from '../../components/Field.tsx'
import type { FormField } from './useForm.ts'

/** The email is the user's name at Digger. */
export const EmailField = (field: FormField) => (
  <Field label="이메일" type="email" inputMode="email" autoComplete="username" autoCapitalize="none" {...field} />
)

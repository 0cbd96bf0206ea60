import { useEffect, useState } from 'react'
import { ask } from '../../ask/ask.ts'
import { forgetTyped, withTyped } from './typed.ts'

const REQUIRED = 'required'

/** What the server asks of a new password; the server decides. */
export const PASSWORD_RULE = '8자 이상. 널리 알려진 비밀번호와 이메일은 쓸 수 없습니다.'

/** What a field is given by its form. */
export interface FormField {
  name: string
  value: string
  error: string | undefined
  onChange: (text: string) => void
}

export interface Form<K extends string> {
  texts: Record<K, string>
  field: (name: K) => FormField
  /** Texts that come from elsewhere, as if they had been typed. */
  fill: (texts: Partial<Record<K, string>>) => void
  /** True when every field has a text; marks those that have none. */
  check: () => boolean
}

/** Texts of a form and the one rule they share: not empty. An error goes away as soon as the field is changed. */
export function useForm<K extends string>(initial: Record<K, string>): Form<K> {
  const [texts, setTexts] = useState(() => withTyped(initial))
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set())
  useEffect(forgetTyped, [])
  const fill = (given: Partial<Record<K, string>>) => {
    setTexts((old) => ({ ...old, ...given }))
    setWrong((old) => new Set([...old].filter((name) => !(name in given))))
  }
  const field = (name: K): FormField => ({
    name,
    value: texts[name],
    error: wrong.has(name) ? REQUIRED : undefined,
    onChange: (text) => {
      setTexts((old) => ({ ...old, [name]: text }))
      setWrong((old) => new Set([...old].filter((other) => other !== name)))
    },
  })
  const check = (): boolean => {
    const empty = emptyFields(texts)
    setWrong(new Set(empty))
    return empty.length === 0
  }
  return { texts, field, fill, check }
}

const emptyFields = (texts: Record<string, string>): string[] =>
  Object.entries(texts).flatMap(([name, text]) => (text.trim() === '' ? [name] : []))

/** Whether a new password was typed twice the same; says so when it was not. */
export function isRepeated(password: string, again: string, message: string): boolean {
  if (password === again) return true
  void ask.alert('check password!', message)
  return false
}

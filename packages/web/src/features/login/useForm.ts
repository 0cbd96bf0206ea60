import { useEffect, useState } from 'react'
import { forgetTyped, withTyped } from './typed.ts'

const REQUIRED = 'required'

/** What the server asks of a new password; it is the judge. */
export const RULE = '8자 이상. 널리 알려진 비밀번호와 이메일은 쓸 수 없습니다.'

/** Texts of a form and the one rule they share: not empty. An error goes away as soon as the field is changed. */
export function useForm<K extends string>(initial: Record<K, string>) {
  const [texts, setTexts] = useState(() => withTyped(initial))
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set())
  useEffect(forgetTyped, [])
  const field = (name: K) => ({
    name,
    value: texts[name],
    error: wrong.has(name) ? REQUIRED : undefined,
    onChange: (text: string) => {
      setTexts((old) => ({ ...old, [name]: text }))
      setWrong((old) => new Set([...old].filter((other) => other !== name)))
    },
  })
  /** True when every field has a text; marks those that have none. */
  const check = (): boolean => {
    const empty = emptyFields(texts)
    setWrong(new Set(empty))
    return empty.length === 0
  }
  return { texts, field, check }
}

const emptyFields = (texts: Record<string, string>): string[] =>
  Object.entries(texts).flatMap(([name, text]) => (text.trim() === '' ? [name] : []))

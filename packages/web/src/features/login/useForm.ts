import { useEffect, useState } from 'react'
import { ask } from '../../ask/ask.ts'
import { forgetTyped, withTyped } from './typed.ts'

const REQUIRED = 'required'

/** What the server asks of a new password; the server decides. */
export const PASSWORD_RULE = '8자 이상. 널리 알려진 비밀번호와 이메일은 쓸 수 없습니다.'

/** What the server calls the fields of the broker's keys where it refuses one. */
export const BROKER_LABELS = { appKey: 'appKey', appSecret: 'appSecret', 'HTS ID': 'htsId' } as const

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
  /** True when every field has a text, or of `names` each; marks those that have none. */
  check: (names?: readonly K[]) => boolean
  /** Shows what a refusal says of single fields at each; returns what it says besides. `labels`: the server's names of the fields. */
  refuse: (message: string, labels: Readonly<Record<string, K>>) => string
}

/** Texts of a form and the one rule they share: not empty. An error goes away as soon as the field is changed. */
export function useForm<K extends string>(initial: Record<K, string>): Form<K> {
  const [texts, setTexts] = useState(() => withTyped(initial))
  const [wrong, setWrong] = useState<Errors>({})
  useEffect(forgetTyped, [])
  const fill = (given: Partial<Record<K, string>>) => {
    setTexts((old) => ({ ...old, ...given }))
    setWrong((old) => without(old, Object.keys(given)))
  }
  const field = (name: K): FormField => ({
    name,
    value: texts[name],
    error: wrong[name],
    onChange: (text) => {
      setTexts((old) => ({ ...old, [name]: text }))
      setWrong((old) => without(old, [name]))
    },
  })
  const check = (names?: readonly string[]): boolean => {
    const empty = emptyFields(texts).filter((name) => names?.includes(name) ?? true)
    setWrong(Object.fromEntries(empty.map((name) => [name, REQUIRED])))
    return empty.length === 0
  }
  const refuse = (message: string, labels: Readonly<Record<string, K>>): string => {
    const { errors, rest } = fieldErrors(message, labels)
    setWrong(errors)
    return rest
  }
  return { texts, field, fill, check, refuse }
}

type Errors = Readonly<Record<string, string>>

const without = (errors: Errors, names: readonly string[]): Errors =>
  Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name)))

/** The lines of a refusal that begin with the name of a field, by field, and the other ones. */
export function fieldErrors(
  message: string,
  labels: Readonly<Record<string, string>>,
): { errors: Record<string, string>; rest: string } {
  const errors: Record<string, string> = {}
  const rest = message.split('\n').filter((line) => {
    const label = Object.keys(labels).find((one) => line.startsWith(`${one}: `))
    const name = label === undefined ? undefined : labels[label]
    if (label === undefined || name === undefined) return true
    errors[name] ??= line.slice(label.length + 2)
    return false
  })
  return { errors, rest: rest.join('\n') }
}

const emptyFields = (texts: Record<string, string>): string[] =>
  Object.entries(texts).flatMap(([name, text]) => (text.trim() === '' ? [name] : []))

/** Whether a new password was typed twice the same; says so when it was not. */
export function isRepeated(password: string, again: string, message: string): boolean {
  if (password === again) return true
  void ask.alert('check password!', message)
  return false
}

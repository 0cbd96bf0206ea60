import { useEffect, useState } from 'react'
import { forgetTyped, withTyped } from '../../session/typed.ts'

export const REQUIRED = 'required'

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

export const emptyFields = (texts: Record<string, string>): string[] =>
  Object.entries(texts).flatMap(([name, text]) => (text.trim() === '' ? [name] : []))

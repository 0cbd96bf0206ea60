import { useLayoutEffect, useRef, type ChangeEvent } from 'react'

interface Typed {
  readonly text: string
  /** Where the caret stands, in characters. */
  readonly caret: number
}

/** Digits with or without separators, maybe a sign before and a fraction behind; anything else stays as typed. */
const DIGITS = /^([-−+]?)([\d,]*\d[\d,]*)(\.\d*)?$/
const BETWEEN_THREES = /\B(?=(\d{3})+$)/g

/**
 * A number with its thousands apart, as somebody types it. The caret stays behind the same digit; `isForward`: what stood
 * behind it was deleted, so that it must also get past a separator, or the next press would delete that one again.
 */
export function groupDigits({ text, caret }: Typed, isForward = false): Typed {
  const [, sign = '', digits = '', rest = ''] = DIGITS.exec(text) ?? []
  if (digits === '') return { text, caret }
  const grouped = `${sign}${digits.replaceAll(',', '').replaceAll(BETWEEN_THREES, ',')}${rest}`
  const before = text.slice(0, caret).replaceAll(',', '').length
  let at = 0
  for (let seen = 0; seen < before && at < grouped.length; at += 1) if (grouped[at] !== ',') seen += 1
  if (isForward && grouped[at] === ',') at += 1
  return { text: grouped, caret: at }
}

/** What a field does with each change while it groups its digits. */
export function useGroupedDigits(onChange: (text: string) => void): (event: ChangeEvent<HTMLInputElement>) => void {
  const moved = useRef<{ input: HTMLInputElement; caret: number } | null>(null)
  useLayoutEffect(() => {
    const { input, caret } = moved.current ?? {}
    moved.current = null
    if (document.activeElement === input) input?.setSelectionRange(caret ?? null, caret ?? null)
  })
  return ({ target: input, nativeEvent }) => {
    const kind = nativeEvent instanceof InputEvent ? nativeEvent.inputType : ''
    const typed = { text: input.value, caret: input.selectionStart ?? input.value.length }
    // A syllable that is being put together is no text yet, and a separator pasted in a wrong place more likely a slip.
    const isLeft = kind === 'insertCompositionText' || (kind.startsWith('insertFrom') && typed.text.includes(','))
    const { text, caret } = isLeft ? typed : groupDigits(typed, kind === 'deleteContentForward')
    if (text !== typed.text) moved.current = { input, caret }
    onChange(text)
  }
}

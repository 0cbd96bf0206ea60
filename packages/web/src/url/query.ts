import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { row, type SheetItem } from '../ask/ask.ts'
import { useToday } from '../clock/now.ts'
import { settle } from './pending.ts'
import { monthOf, rangeKey, validDay, yearOf, type Range } from '../format/day.ts'

type Flags<K extends string> = Record<K, boolean>

/** True/false parts of the URL's query with their defaults, and the way to change them (a new entry of the history). */
export function useFlags<K extends string>(defaults: Flags<K>): [Flags<K>, (key: K, value: boolean) => void] {
  const [query, setQuery] = useSearchParams()
  return [flagsOf(query, defaults), (key, value) => setQuery((old) => withTexts(old, { [key]: String(value) }))]
}

/** Any other text than true or false is the default. */
export function flagsOf<K extends string>(query: URLSearchParams, defaults: Flags<K>): Flags<K> {
  const flags = { ...defaults }
  for (const key in defaults) {
    const value = query.get(key)
    if (value === 'true' || value === 'false') flags[key] = value === 'true'
  }
  return flags
}

/** Texts of the query ('' when absent), and how to change several at once; '' removes. */
export function useTexts(): [(key: string) => string, (change: Record<string, string>) => void] {
  const [query, setQuery] = useSearchParams()
  return [(key) => query.get(key) ?? '', (change) => setQuery((old) => withTexts(old, change))]
}

/** The address follows once nobody types: every change of it draws the whole page anew, ms. */
const TYPED_MS = 300

/** One text of the query that changes with every letter typed: the entry of the history is replaced. */
export function useTypedText(key: string): [string, (text: string) => void] {
  const [query, setQuery] = useSearchParams()
  const inAddress = query.get(key) ?? ''
  const [typed, setTyped] = useState({ text: inAddress, inAddress })
  // The address was changed otherwise, by the Back button or a link: it is right.
  if (typed.inAddress !== inAddress) setTyped({ text: inAddress, inAddress })
  const write = useEffectEvent((text: string) => setQuery((old) => withTexts(old, { [key]: text }), { replace: true }))
  const { text } = typed
  useEffect(() => {
    if (text === inAddress) return undefined
    let gone = false
    const timer = setTimeout(() => {
      // A press that is under way changes the same address, or leaves the page.
      settle()
      if (!gone) write(text)
    }, TYPED_MS)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [text, inAddress])
  const change = useCallback((next: string) => setTyped(({ inAddress }) => ({ text: next, inAddress })), [])
  return [text, change]
}

export function withTexts(old: URLSearchParams, change: Record<string, string>): URLSearchParams {
  const next = new URLSearchParams(old)
  for (const [key, value] of Object.entries(change)) {
    if (value === '') next.delete(key)
    else next.set(key, value)
  }
  return next
}

/** fromDate and toDate of the query; the fallback when either is missing or no day. */
export function useRange(fallback: (today: string) => Range = monthOf): [Range, (range: Range) => void, string] {
  const [text, setTexts] = useTexts()
  const day = useToday()
  const fromDate = validDay(text('fromDate'))
  const toDate = validDay(text('toDate'))
  const range = fromDate !== null && toDate !== null ? { fromDate, toDate } : fallback(day)
  return [range, ({ fromDate, toDate }) => setTexts({ fromDate, toDate }), day]
}

/** Month and year steps: "this" is the calendar's, previous and next go from what is shown. */
export function rangeMenu(range: Range, today: string, go: (range: Range) => void): SheetItem[] {
  const item = (name: string, to: Range): SheetItem => ({ ...row(name, () => go(to)), value: rangeKey(to) })
  return [
    item('이번 달', monthOf(today)),
    item('지난달', monthOf(range.fromDate, -1)),
    item('다음 달', monthOf(range.fromDate, 1)),
    item('올해', yearOf(today)),
    item('지난해', yearOf(range.fromDate, -1)),
    item('다음 해', yearOf(range.fromDate, 1)),
  ]
}

/** The same as chips, counted from today, so that each means the same wherever one is. */
export function rangeChips(range: Range, today: string, go: (range: Range) => void) {
  const chip = (name: string, to: Range) => ({ name, on: rangeKey(to) === rangeKey(range), func: () => go(to) })
  const chips = [
    chip('이번 달', monthOf(today)),
    chip('지난달', monthOf(today, -1)),
    chip('올해', yearOf(today)),
    chip('지난해', yearOf(today, -1)),
  ]
  return { kind: 'choice' as const, label: '기간', chips }
}

/** A switch as the API's query wants it. */
export const flagText = (value: boolean): 'true' | 'false' => (value ? 'true' : 'false')

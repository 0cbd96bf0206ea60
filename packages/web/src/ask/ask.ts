import type { ReactNode } from 'react'

/** Questions to the person, as promises. Shown by `AskHost`, one above the other if need be. */
export interface SheetItem<V = unknown> {
  name: string
  /** What it does, on a smaller second line. */
  note?: string
  value: V
  func: () => void
  /** Red: what cannot be taken back. */
  danger?: boolean
  disabled?: boolean
}
/** A row that is only picked, never shown as chosen. */
export const row = (name: string, func: () => unknown, danger = false, note?: string): SheetItem => ({
  name,
  value: name,
  danger,
  ...(note && { note }),
  func: () => void func(),
})
/** What the sheet shows as chosen is the item whose value equals `selected`. */
interface SheetQuestion {
  kind: 'sheet'
  title: string
  items: readonly SheetItem[]
  selected?: unknown
}
export interface AlertQuestion {
  kind: 'alert'
  message: string
  note?: string
}
export interface ConfirmQuestion {
  kind: 'confirm'
  message: string
  note?: string
  yes: string
  danger: boolean
}
/** One of several ways to go on. */
export interface Choice<V extends string = string> {
  name: string
  value: V
  /** Red: what cannot be taken back. */
  danger?: boolean
}
/** The first choice gets the focus: it is what a habitual Enter picks. */
export interface ChoiceQuestion {
  kind: 'choice'
  message: string
  note?: string
  choices: readonly Choice[]
}
export interface PromptQuestion {
  kind: 'prompt'
  message: string
  note?: string
  fields: readonly PromptField[]
}
export interface PromptField {
  label: string
  type?: 'text' | 'password' | 'number'
  initial?: string
  /** Shown behind the number: 원, 만원, 개. */
  unit?: string
  /** Why a text is not taken; null: it is. Of a text left empty it is not asked. */
  problem?: (text: string) => string | null
  /** With it the number has minus and plus buttons of this size. */
  step?: number
}
/** What has a form of its own, drawn by who asks. */
interface PanelQuestion {
  kind: 'panel'
  show: (close: () => void) => ReactNode
}

type Question = SheetQuestion | AlertQuestion | ConfirmQuestion | ChoiceQuestion | PromptQuestion | PanelQuestion
type Answer = true | string | string[] | null
export interface Asked {
  id: number
  question: Question
  /** Alerts, sheets and panels end with null, confirms with true or null, choices with their value or null, prompts with the texts or null. */
  answer: (value: Answer) => void
}

let open: readonly Asked[] = []
let count = 0
const listeners = new Set<() => void>()

function change(next: readonly Asked[]): void {
  open = next
  for (const listener of listeners) listener()
}

function pose(question: Question): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const id = (count += 1)
  const answer: Asked['answer'] = (value) => {
    change(open.filter((asked) => asked.id !== id))
    resolve(value)
  }
  change([...open, { id, question, answer }])
  return promise
}

export const openQuestions = () => open
/** Everything that is asked ends as if it had been cancelled. */
export function dismissQuestions(): void {
  for (const { answer } of open) answer(null)
}
export function watchQuestions(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const ask = {
  alert: (message: string, note?: string) => pose({ kind: 'alert', message, ...(note && { note }) }),
  confirm: async (message: string, options: { note?: string; yes?: string; danger?: boolean } = {}) =>
    (await pose({ kind: 'confirm', message, yes: '확인', danger: false, ...options })) === true,
  /** The value of a choice; null when none was made. */
  choose: async <V extends string>(
    message: string,
    choices: readonly Choice<V>[],
    note?: string,
  ): Promise<V | null> => {
    const chosen = await pose({ kind: 'choice', message, choices, ...(note && { note }) })
    return choices.find(({ value }) => value === chosen)?.value ?? null
  },
  /** One text; null when cancelled or left empty. */
  prompt: async (message: string, field: PromptField, note?: string): Promise<string | null> => {
    const texts = await ask.form(message, [field], note)
    return texts?.[0] || null
  },
  /** Several texts; null when cancelled or any was left empty. */
  form: async (message: string, fields: readonly PromptField[], note?: string): Promise<string[] | null> => {
    const texts = await pose({ kind: 'prompt', message, fields, ...(note && { note }) })
    return Array.isArray(texts) && texts.every((text) => text !== '') ? texts : null
  },
  sheet: (title: string, items: readonly SheetItem[], selected?: unknown) =>
    pose({ kind: 'sheet', title, items, selected }),
  /** Ends when `show` calls `close`, or the page is left. */
  panel: (show: PanelQuestion['show']) => pose({ kind: 'panel', show }),
}

/** The events of every way to another address; the last two under the router's own names. */
const MOVES = ['popstate', 'pushState', 'replaceState']

/**
 * A question of the page before, left by the Back button, must not lie over the next. To be called before the router listens:
 * the question is gone, and the focus free for the heading, when the next page is drawn.
 */
export function dismissDialogsOnNavigation(): void {
  let path = location.pathname
  const moved = () => {
    if (location.pathname !== path) dismissQuestions()
    path = location.pathname
  }
  for (const move of MOVES) window.addEventListener(move, moved)
}

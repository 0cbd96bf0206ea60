import type { AccountCommand, Answer } from './step-types.ts'

export type CommandOf<K extends AccountCommand['kind']> = Extract<AccountCommand, { kind: K }>

export const done: Answer = { ok: true, orderIds: [], differences: [] }

export const refused = (code: Extract<Answer, { ok: false }>['code'], text: string): Answer => ({
  ok: false,
  code,
  text,
})

export const noStock = (code: string): Answer =>
  refused('NOT_FOUND', `${code}은(는) 목록에 없는 종목입니다. 종목코드를 확인하거나 먼저 추가해 주세요.`)

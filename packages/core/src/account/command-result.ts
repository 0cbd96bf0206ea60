import type { AccountCommand, CommandResult } from './step-types.ts'

export type CommandOf<K extends AccountCommand['kind']> = Extract<AccountCommand, { kind: K }>

export const done: CommandResult = { ok: true, orderIds: [], differences: [] }

export type Refusal = Extract<CommandResult, { ok: false }>

export const refused = (code: Refusal['code'], text: string): CommandResult => ({
  ok: false,
  code,
  text,
})

export const noStock = (code: string): CommandResult =>
  refused('NOT_FOUND', `${code}은(는) 목록에 없는 종목입니다. 종목코드를 확인하거나 먼저 추가해 주세요.`)

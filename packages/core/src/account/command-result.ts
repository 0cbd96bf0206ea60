import { withParticle } from '../ladder/particle.ts'
import type { AccountCommand, CommandResult } from './step-types.ts'
import type { Reason } from './types.ts'

export type CommandOf<K extends AccountCommand['kind']> = Extract<AccountCommand, { kind: K }>

export const done: CommandResult = { ok: true, orderIds: [], differences: [] }

export type Refusal = Extract<CommandResult, { ok: false }>

export const refused = (code: Refusal['code'], text: string): CommandResult => ({
  ok: false,
  code,
  text,
})

/** What a person's order that the gate refused is answered with. */
export const codeOf = ({ code }: Reason): Refusal['code'] =>
  code === 'stop' || code === 'otherServer' ? 'STOPPED' : 'CONFLICT'

export const noStock = (code: string): CommandResult =>
  refused('NOT_FOUND', `${withParticle(code, '은')} 목록에 없는 종목입니다. 종목코드를 확인하거나 먼저 추가해 주세요.`)

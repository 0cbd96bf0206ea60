import type { ApiToken, TokenScope } from '@digger/contract'

export const SCOPE_NAMES: Readonly<Record<TokenScope, string>> = { read: '읽기', stop: '읽기와 멈춤' }

export const SCOPES = [
  ['read', SCOPE_NAMES.read],
  ['stop', SCOPE_NAMES.stop],
] as const satisfies readonly (readonly [TokenScope, string])[]

/** What a program may do with it, and what not. */
export const SCOPE_HELP: Readonly<Record<TokenScope, string>> = {
  read: '잔고, 종목, 주문, 손익을 볼 수만 있습니다.',
  stop: '보는 것에 더해 멈추고 주문을 취소할 수 있습니다. 멈춤을 풀거나 주문을 낼 수는 없습니다.',
}

/** As the contract has them. */
export const LIFETIMES = [
  ['7', '7일'],
  ['30', '30일'],
  ['90', '90일'],
  ['365', '1년'],
] as const satisfies readonly (readonly [string, string])[]
export type Lifetime = (typeof LIFETIMES)[number][0]

export const MAX_NAME = 40

/** Why a name cannot be; undefined: it can. */
export function wrongName(name: string): string | undefined {
  const { length } = name.trim()
  if (length === 0) return '어디에 쓰는 토큰인지 이름을 넣어 주세요.'
  return length > MAX_NAME ? `이름은 ${MAX_NAME}자까지입니다.` : undefined
}

export const hasExpired = ({ expiresAt }: ApiToken, now: number): boolean => Date.parse(expiresAt) <= now

/** Shown to whoever looks at the page: programs send it so. */
export const HOW = 'Authorization: Bearer 토큰'

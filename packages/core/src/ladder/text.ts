import type { ReasonCode } from './reason-codes.ts'
import type { Reason } from './types.ts'

/** 1234567 → `1,234,567원`. Own digits, because locale data differs between browsers and servers. */
export const won = (amount: number): string => `${grouped(amount)}원`

export const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')

export const yes = (side: Reason['side'], code: ReasonCode, text: string): Reason => ({ side, ok: true, code, text })
export const no = (side: Reason['side'], code: ReasonCode, text: string): Reason => ({ side, ok: false, code, text })

import { z } from 'zod'

/** 20260231 has the right shape and is no day. */
function isRealDay(text: string): boolean {
  const iso = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
  const at = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(iso)
}

/** Whole won (may be negative where a gain or a change is meant). */
export const won = z.int()
export const shares = z.int().min(0)
/** Six characters; letters occur in newer codes, so it is never a number. */
export const stockCode = z
  .string()
  .regex(/^(Q\d{6}|[0-9A-Z]{6})$/, '종목코드는 숫자와 영문 대문자 6자리로 넣어 주세요.')
export const day = z
  .string()
  .regex(/^\d{4}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/, '날짜는 YYYYMMDD 여덟 자리로 넣어 주세요.')
  .refine(isRealDay, '달력에 없는 날짜입니다. 날짜를 확인해 주세요.')
/** ISO 8601 with offset. */
export const instant = z.string()
export const userId = z.string().min(1)

/** What may leave an account: everything, sales only, nothing new. */
export const Stop = z.enum(['active', 'reduce', 'halt'])

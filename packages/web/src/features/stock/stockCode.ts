import type { PromptField } from '../../ask/ask.ts'

/** As it is typed on any keyboard: full-width digits and small letters are codes too. */
export const stockCodeOf = (text: string): string => text.normalize('NFKC').trim().toUpperCase()

/** A code, or why a text is none: people type names, too. */
export function stockCodeProblem(text: string): string | null {
  if (/^[0-9A-Z]{6}$/.test(stockCodeOf(text))) return null
  return /[^\s\dA-Za-z]/.test(text.normalize('NFKC'))
    ? '이름으로는 추가할 수 없습니다. 종목코드 6자리를 넣어 주세요. 예: 삼성전자는 005930'
    : '종목코드는 숫자나 영문 6자리입니다. 예: 005930'
}

export const STOCK_CODE: PromptField = { label: '종목코드 6자리', problem: stockCodeProblem }

import { Refused } from '@digger/contract'
import { withParticle, type Book, type Stock } from '@digger/core'

/** The stock of a path. Throws Refused NOT_FOUND. */
export function stockOf(book: Book, code: string): Stock {
  const stock = book.stocks.get(code)
  if (!stock)
    throw new Refused(
      'NOT_FOUND',
      `${withParticle(code, '은')} 목록에 없는 종목입니다. 종목코드를 확인하거나 먼저 추가해 주세요.`,
    )
  return stock
}

import { ACCOUNT_LIMITS, newAccount, outlook, type Book, type Context } from '@digger/core'
import { Timetables } from '@digger/engine'
import type { ServerFixture } from '@digger/server/testing'
import { addSessions, addUsers } from './postgres.ts'

/** What every stock costs at first, won. */
export const FIRST_PRICE = 100_000

export const codesOf = (stocks: number): string[] => Array.from({ length: stocks }, (_, n) => String(100_000 + n))

/** Makes users and logs all of them in without passwords; returns their cookies. */
export async function logIn(fixture: ServerFixture, users: number): Promise<string[]> {
  return addSessions(fixture.database, await addUsers(fixture.database, users))
}

/** Gives every user the same stocks; their prices are those of `fixture.accounts.prices`. */
export async function shareStocks(fixture: ServerFixture, codes: readonly string[]): Promise<void> {
  const { accounts } = fixture
  await accounts.open('one')
  for (const code of codes) {
    fixture.giveStock('one', code)
    accounts.prices.set(code, { price: FIRST_PRICE, at: Date.now() })
  }
  const book = accounts.book('one')
  accounts.book = () => book
  accounts.has = () => true
}

/** The accounts' own rules give the reasons, as in the product. */
export function useEngineOutlook(fixture: ServerFixture): void {
  const timetable = new Timetables('always').current
  const accounts = new WeakMap<Book, ReturnType<typeof newAccount>>()
  const accountOf = (book: Book) => {
    const known = accounts.get(book) ?? newAccount(book)
    accounts.set(book, known)
    return known
  }
  fixture.accounts.outlook = (userId, code) => {
    const context: Context = {
      now: fixture.clock.now(),
      env: 'real',
      timetable,
      limits: ACCOUNT_LIMITS.real,
      serverStop: 'active',
      quote: (asked) => {
        const last = fixture.accounts.lastPrice(asked)
        return last ? { ...last, live: true, halted: false, band: { lower: 50_000, upper: 90_000 } } : undefined
      },
    }
    return outlook(accountOf(fixture.accounts.book(userId)), context, code)
  }
}

import { z } from 'zod'
import * as e from '../entities.ts'
import { FactorProof } from '../second-factor.ts'
import { readNumber, readWon } from '../typed-number.ts'

export const empty = z.object({})
/** Query booleans are the words true and false, nothing else. */
export const flag = (by: boolean) =>
  z
    .enum(['true', 'false'])
    .default(by ? 'true' : 'false')
    .transform((text) => text === 'true')
export const ofUser = z.object({ userId: e.userId })
export const ofStock = ofUser.extend({ code: e.stockCode })
export const ofTrade = ofStock.extend({ tradeId: z.coerce.number().pipe(z.int().min(1)) })
/** Settings as a person types them: "1,000,000" is a number too. */
export const typed = <T extends z.ZodType>(number: T) =>
  z.preprocess((value) => (typeof value === 'string' ? orText(readNumber(value), value) : value), number)
const orText = (number: number | null | undefined, text: string): unknown => (number === undefined ? text : number)
export const MAX_WON = 1_000_000_000_000
export const typedWon = z.preprocess(
  (value) => (typeof value === 'string' ? orText(readWon(value), value) : value),
  z
    .int('원 단위의 정수로 넣어 주세요.')
    .min(0, '0 이상으로 넣어 주세요.')
    .max(MAX_WON, '너무 큰 금액입니다. 1조 원 이하로 넣어 주세요.')
    .nullable(),
)
export const typedPercent = typed(
  z.number('숫자로 넣어 주세요.').min(-99, '-99 이상으로 넣어 주세요.').max(1000, '1000 이하로 넣어 주세요.'),
)

/** Units of 10,000 won, as the specification has them. */
export const buyAmount = typed(
  z
    .int('만원 단위의 정수로 넣어 주세요.')
    .min(1, '1 이상으로 넣어 주세요.')
    .max(100_000, '너무 큰 금액입니다. 100000(10억 원) 이하로 넣어 주세요.'),
)

/** A sale by hand: at which price, in how many orders, and how many shares; without `qty` all that may be sold. */
export const sale = {
  sellPrice: z.coerce.number().pipe(z.int().min(1)),
  sellCount: z.coerce.number().pipe(z.int().min(1).max(100)).default(1),
  qty: z.coerce.number().pipe(z.int().min(1)).optional(),
}

/** The last price that its person saw; far below it the order is refused, and asked for again. */
export const seenPrice = z.coerce.number().pipe(z.int().min(1)).optional()

export const range = { fromDate: e.day.optional(), toDate: e.day.optional() }
export const orderedQuery = z.object({ ...range, code: e.stockCode.or(z.literal('')).optional() })
export const orderQuery = z.object({
  orderType: e.OrderType.or(z.literal('')).optional(),
  code: e.stockCode.or(z.literal('')).optional(),
})
export const stockListQuery = z.object({ withSavedGain: flag(true), showOnlyWatch: flag(true) })
export const rangeQuery = z.object(range)
export const password = z.string().min(1, '비밀번호를 입력해 주세요.').max(200)
export const email = z.string().trim().toLowerCase().pipe(z.email('이메일 주소를 확인해 주세요.'))
/** Pension accounts (product 22 and 29) have orders and balances of their own, which this client does not speak. */
export const accountNumber = z
  .string()
  .transform((text) => text.normalize('NFKC').replaceAll(/[-\s]/g, ''))
  .pipe(
    z
      .string()
      .regex(/^\d{8}(\d{2})?$/, '계좌번호는 숫자 8자리나 10자리로 넣어 주세요.')
      .refine(
        (text) => !/^\d{8}(22|29)$/.test(text),
        '연금·퇴직연금 계좌(22, 29)는 주문 방법이 달라 연결할 수 없습니다. 끝자리가 01인 계좌를 넣어 주세요.',
      ),
  )
const forceKisLogin = z.boolean().default(false)
/** `proof`: of whom a password alone is not enough. */
export const login = z.object({ email, password, forceKisLogin, proof: FactorProof.optional() })
export const adminPassword = z.object({ email, password, forceKisLogin })
export const orderBody = z.object({ orderId: z.string().optional() }).loose().optional()

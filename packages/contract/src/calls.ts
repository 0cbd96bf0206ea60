import { z } from 'zod'
import * as e from './entities.ts'
import { paths, type CallName } from './paths.ts'

/** Who may call: anyone · a logged-in user for themselves (administrators for everyone) · administrators only. */
export type Access = 'anyone' | 'owner' | 'admin'

export interface Call {
  readonly summary: string
  readonly access: Access
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  readonly reply: z.ZodType
  /** The call needs the user's broker key in memory, else NEED_USERKEY. */
  readonly needsKey?: true
}

const empty = z.object({})
/** Query booleans are the words true and false, nothing else. */
const flag = (by: boolean) =>
  z
    .enum(['true', 'false'])
    .default(by ? 'true' : 'false')
    .transform((word) => word === 'true')
const ofUser = z.object({ userId: e.userId })
const ofStock = ofUser.extend({ code: e.stockCode })
const ofTrade = ofStock.extend({ tradeId: z.coerce.number().pipe(z.int().min(1)) })
/** Settings as a person types them: "1,000,000" is a number too. */
const typed = <T extends z.ZodType>(number: T) =>
  z.preprocess((value) => (typeof value === 'string' ? readNumber(value) : value), number)
function readNumber(text: string): unknown {
  const plain = text.trim().replace(/^([+-]?)(\d{1,3}(,\d{3})+)(\.\d+)?$/, (all) => all.replaceAll(',', ''))
  if (plain === '') return null
  return /^[+-]?\d+(\.\d+)?$/.test(plain) ? Number(plain) : text
}
const MAX_WON = 1_000_000_000_000
const typedWon = typed(
  z.int('원 단위 정수여야 합니다.').min(0, '0 이상이어야 합니다.').max(MAX_WON, '너무 큰 금액입니다.').nullable(),
)
const typedPercent = typed(
  z.number('숫자여야 합니다.').min(-99, '-99 이상이어야 합니다.').max(1000, '1000 이하여야 합니다.'),
)

/** The editable part of a stock. Everything else of the body is ignored (design 22). */
export const StockUpdate = z.object({
  version: z.int().optional(),
  maxBuyPrice: typedWon,
  maxBuyAmount: typedWon,
  buyUnitPrice: typedWon,
  lastBuyPrice: typedWon,
  recoverLastBuyPrice: z.boolean(),
  autoBuy: z.boolean(),
  buyPercent: typedPercent,
  autoSell: z.boolean(),
  sellPercent: typedPercent,
  useMinSellPrice: z.boolean(),
  minSellPrice: typedWon,
  autoSellWithAvgPrice: z.boolean(),
})

const range = { fromDate: e.day.optional(), toDate: e.day.optional() }
const orderedQuery = z.object({ ...range, code: e.stockCode.or(z.literal('')).optional() })
const orderQuery = z.object({
  orderType: e.OrderType.or(z.literal('')).optional(),
  code: e.stockCode.or(z.literal('')).optional(),
})
const stockListQuery = z.object({ withSavedGain: flag(true), showOnlyWatch: flag(true) })
const rangeQuery = z.object(range)
const password = z.string().min(1, '비밀번호를 입력해 주세요.').max(200)
const email = z.string().trim().toLowerCase().pipe(z.email('이메일 주소를 확인해 주세요.'))
const login = z.object({ email, password, forceKisLogin: z.boolean().default(false) })
const orderBody = z.object({ orderId: z.string().optional() }).loose().optional()

/** Every call once: the server's routes, the client's functions, the tests and OpenAPI all come from here. */
export const calls = {
  login: {
    summary: '로그인',
    access: 'anyone',
    body: login,
    reply: z.object({ diggerAdmin: z.boolean(), message: z.string(), userId: e.userId, email: z.string() }),
  },
  logout: { summary: '로그아웃', access: 'anyone', reply: empty },
  signUp: {
    summary: '가입: 증권사 정보를 증권사에 확인한 뒤 만든다',
    access: 'anyone',
    body: z.object({
      email,
      password: z.string().min(8, '비밀번호는 8자 이상이어야 합니다.').max(200),
      appKey: z.string().trim().length(36, 'appKey는 36자입니다.'),
      appSecret: z.string().trim().length(180, 'appSecret은 180자입니다.'),
      accountNumber: z
        .string()
        .trim()
        .regex(/^\d{8}(-?\d{2})?$/, '계좌번호는 숫자 8자리 또는 10자리입니다.'),
      htsId: z.string().trim().min(1, 'HTS ID를 입력해 주세요.').max(40),
    }),
    reply: z.object({ userId: e.userId }),
  },
  me: { summary: '사용자와 서버 환경', access: 'owner', params: ofUser, reply: e.Me },
  changePassword: {
    summary: '비밀번호 변경',
    access: 'owner',
    params: ofUser,
    body: z.object({
      oldPassword: password,
      newPassword: z.string().min(8, '새 비밀번호는 8자 이상이어야 합니다.').max(200),
    }),
    reply: empty,
  },

  stocks: { summary: '종목 목록', access: 'owner', params: ofUser, query: stockListQuery, reply: z.array(e.Stock) },
  stock: {
    summary: '종목 하나',
    access: 'owner',
    params: ofStock,
    query: z.object({ withSavedGain: flag(true), simulPrice: z.coerce.number().pipe(z.int().min(1)).optional() }),
    reply: e.Stock,
  },
  updateStock: {
    summary: '종목 설정 저장(없으면 추가)',
    access: 'owner',
    params: ofStock,
    body: StockUpdate,
    reply: e.Stock,
  },
  deleteStock: { summary: '종목 삭제', access: 'owner', params: ofStock, reply: empty },
  toggleSubscribed: {
    summary: '시세 구독 전환',
    access: 'owner',
    params: ofStock,
    reply: z.object({ subscribed: z.boolean() }),
  },
  candles: {
    summary: '봉 차트',
    access: 'owner',
    params: ofStock,
    query: z.object({ unit: z.enum(['day', 'minute']).default('day'), ...range }),
    reply: z.array(e.Candle),
    needsKey: true,
  },
  sellStock: { summary: '목표가에 매도 걸기', access: 'owner', params: ofStock, reply: empty, needsKey: true },
  sellStockAtPrice: {
    summary: '지정가 매도',
    access: 'owner',
    params: ofStock,
    query: z.object({
      sellPrice: z.coerce.number().pipe(z.int().min(1)),
      sellCount: z.coerce.number().pipe(z.int().min(1).max(100)).default(1),
    }),
    reply: empty,
    needsKey: true,
  },
  sellStockAtMarket: { summary: '시장가 매도', access: 'owner', params: ofStock, reply: empty, needsKey: true },
  checkBalance: {
    summary: '장부와 증권사 잔고 비교',
    access: 'admin',
    params: ofStock,
    reply: z.object({ checkedAt: e.instant, differences: z.array(e.Difference) }),
    needsKey: true,
  },
  fixBalance: { summary: '장부를 증권사 잔고에 맞춤', access: 'admin', params: ofStock, reply: empty, needsKey: true },
  applyOrder: { summary: '설정대로 주문 다시 걸기', access: 'admin', params: ofStock, reply: empty, needsKey: true },
  marketBuy: {
    summary: '시장가 매수(만원 단위)',
    access: 'admin',
    params: ofStock,
    body: z.object({
      amount: typed(
        z.int('만원 단위 정수여야 합니다.').min(1, '1 이상이어야 합니다.').max(100_000, '너무 큰 금액입니다.'),
      ),
    }),
    reply: empty,
    needsKey: true,
  },

  trades: {
    summary: '매매 목록, 최근 매수부터',
    access: 'owner',
    params: ofStock,
    query: z.object({
      withOldTrade: flag(false),
      withSavedGain: flag(true),
      simulPrice: z.coerce.number().pipe(z.int().min(1)).optional(),
    }),
    reply: z.array(e.Trade),
  },
  sellTrade: { summary: '매매 하나를 목표가에 매도', access: 'owner', params: ofTrade, reply: empty, needsKey: true },
  sellTradeAtCurrent: {
    summary: '매매 하나를 현재가에 매도',
    access: 'owner',
    params: ofTrade,
    reply: empty,
    needsKey: true,
  },
  sellTradeAtMarket: {
    summary: '매매 하나를 시장가에 매도',
    access: 'owner',
    params: ofTrade,
    reply: empty,
    needsKey: true,
  },

  balance: {
    summary: '보유 종목과 예수금',
    access: 'owner',
    params: ofUser,
    query: z.object({ withSavedGain: flag(true) }),
    reply: e.Balance,
  },
  gain: { summary: '일자별 실현 손익', access: 'owner', params: ofUser, query: rangeQuery, reply: z.array(e.GainDay) },
  cancelOrders: {
    summary: '미체결 취소(전체 또는 종목)',
    access: 'owner',
    params: ofUser,
    query: z.object({ code: e.stockCode.or(z.literal('')).optional() }),
    reply: empty,
    needsKey: true,
  },
  cancelOrder: {
    summary: '주문 하나 취소',
    access: 'owner',
    params: ofUser.extend({ orderId: z.string().min(1).max(20) }),
    body: orderBody,
    reply: empty,
    needsKey: true,
  },
  money: { summary: '자산 내역', access: 'owner', params: ofUser, query: rangeQuery, reply: z.array(e.MoneyDay) },
  setBankBalance: {
    summary: '은행 잔고 기록',
    access: 'owner',
    params: ofUser,
    body: z.object({ amount: typed(e.won.min(0).max(MAX_WON)) }),
    reply: empty,
  },

  ordered: { summary: '체결 내역', access: 'owner', params: ofUser, query: orderedQuery, reply: z.array(e.Ordered) },
  importOrdered: {
    summary: '체결 내역 가져오기',
    access: 'admin',
    params: ofUser,
    query: z.object({ ...range, code: e.stockCode, fromLastOrder: flag(false) }),
    reply: z.object({ imported: z.int(), skipped: z.int() }),
    needsKey: true,
  },
  orders: { summary: '미체결 주문', access: 'owner', params: ofUser, query: orderQuery, reply: z.array(e.Order) },
  brokerBalance: { summary: '증권사 잔고', access: 'owner', params: ofUser, reply: e.BrokerBalance, needsKey: true },

  socket: { summary: '소켓 상태', access: 'owner', params: ofUser, reply: e.SocketInfo },
  connectSocket: { summary: '소켓 연결', access: 'owner', params: ofUser, reply: empty, needsKey: true },
  disconnectSocket: { summary: '소켓 끊기', access: 'owner', params: ofUser, reply: empty },
  events: { summary: '실시간 알림(SSE)', access: 'owner', params: ofUser, reply: z.string() },
  stop: { summary: '멈춤 상태', access: 'owner', params: ofUser, reply: e.Stops },
  setStop: {
    summary: '멈춤 바꾸기(서버 전체는 관리자만)',
    access: 'owner',
    params: ofUser,
    body: z.object({ level: z.enum(['stock', 'user', 'server']), code: e.stockCode.optional(), stop: e.Stop }),
    reply: e.Stops,
  },
  audit: {
    summary: '감사 기록',
    access: 'owner',
    params: ofUser,
    query: z.object({
      before: e.instant.optional(),
      limit: z.coerce.number().pipe(z.int().min(1).max(200)).default(50),
    }),
    reply: z.array(e.AuditEntry),
  },

  adminUsers: { summary: '모든 사용자', access: 'admin', reply: z.array(e.AdminUser) },
  adminUser: { summary: '사용자 하나', access: 'admin', params: ofUser, reply: e.AdminUser },
  adminOrdered: {
    summary: '사용자의 체결 내역',
    access: 'admin',
    params: ofUser,
    query: orderedQuery,
    reply: z.array(e.Ordered),
  },
  adminOrders: {
    summary: '사용자의 미체결 주문',
    access: 'admin',
    params: ofUser,
    query: orderQuery,
    reply: z.array(e.Order),
  },
  adminBrokerBalance: {
    summary: '사용자의 증권사 잔고',
    access: 'admin',
    params: ofUser,
    reply: e.BrokerBalance,
    needsKey: true,
  },
  adminStocks: {
    summary: '사용자의 종목',
    access: 'admin',
    params: ofUser,
    query: stockListQuery,
    reply: z.array(e.Stock),
  },
  adminGain: {
    summary: '사용자의 실현 손익',
    access: 'admin',
    params: ofUser,
    query: rangeQuery,
    reply: z.array(e.GainDay),
  },
  adminMoney: {
    summary: '사용자의 자산 내역',
    access: 'admin',
    params: ofUser,
    query: rangeQuery,
    reply: z.array(e.MoneyDay),
  },
  adminConnectSocket: { summary: '사용자의 소켓 연결', access: 'admin', params: ofUser, reply: empty, needsKey: true },
  adminDisconnectSocket: { summary: '사용자의 소켓 끊기', access: 'admin', params: ofUser, reply: empty },
  createUserKey: {
    summary: '관리자 비밀번호로 사용자 키 열기',
    access: 'admin',
    params: ofUser,
    body: login,
    reply: empty,
  },
  deleteUserKey: { summary: '사용자 키 닫기', access: 'admin', params: ofUser, reply: empty },
  bulkLogin: { summary: '모든 사용자의 증권사 로그인', access: 'admin', reply: e.BulkResults },
  bulkCancel: { summary: '모든 사용자의 주문 취소', access: 'admin', reply: e.BulkResults },
  bulkSell: { summary: '모든 사용자의 매도 걸기', access: 'admin', reply: e.BulkResults },
  bulkCheck: { summary: '모든 사용자의 잔고 비교', access: 'admin', reply: e.BulkResults },
  bulkFix: { summary: '모든 사용자의 장부 맞춤', access: 'admin', reply: e.BulkResults },
  adminLogout: { summary: '관리자 로그아웃', access: 'admin', reply: empty },
} as const satisfies Record<CallName, Call>

export type Calls = typeof calls
/** What a caller may send and gets back, by call name. */
export type Input<N extends CallName> = {
  params: Calls[N] extends { params: infer P extends z.ZodType } ? z.input<P> : undefined
  query: Calls[N] extends { query: infer Q extends z.ZodType } ? z.input<Q> : undefined
  body: Calls[N] extends { body: infer B extends z.ZodType } ? z.input<B> : undefined
}
export type Reply<N extends CallName> = z.output<Calls[N]['reply']>
export { paths, type CallName }

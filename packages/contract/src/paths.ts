/** The fixed number segment of the admin prefix (spec 7). */
export const ADMIN_SEGMENT = '8017'
/** Readable cookies: hints for the client's first picture, never trusted by the server (spec 3). */
export const HINT_COOKIES = {
  email: 'email',
  /** The word true for a digger admin. */
  diggerAdmin: 'diggerAdmin',
  adminEmail: 'adminEmail',
  /** The id that stands for this person in a URL. */
  userId: 'userId',
} as const

const admin = `/api/admin/${ADMIN_SEGMENT}` as const

/**
 * Method and path of every call, alone so that the client can use them without the schemas.
 * `{userId}` may be the word `user` (me), my own id, or another's (administrators).
 */
export const paths = {
  login: ['POST', '/api/login'],
  logout: ['DELETE', '/api/login'],
  signUp: ['POST', '/api/user/user'],
  me: ['GET', '/api/{userId}/user'],
  changePassword: ['PUT', '/api/{userId}/user'],

  passkeyLogin: ['POST', '/api/login/passkey'],
  passkeyOptions: ['GET', '/api/login/passkey'],
  proofWays: ['GET', '/api/{userId}/step-up'],
  stepUp: ['POST', '/api/{userId}/step-up'],
  factors: ['GET', '/api/{userId}/factor'],
  beginPasskey: ['POST', '/api/{userId}/factor/passkey/options'],
  addPasskey: ['POST', '/api/{userId}/factor/passkey'],
  removePasskey: ['DELETE', '/api/{userId}/factor/passkey/{passkeyId}'],
  beginTotp: ['POST', '/api/{userId}/factor/totp/secret'],
  confirmTotp: ['POST', '/api/{userId}/factor/totp'],
  removeTotp: ['DELETE', '/api/{userId}/factor/totp'],
  makeCodes: ['POST', '/api/{userId}/factor/code'],
  sessions: ['GET', '/api/{userId}/session'],
  endSession: ['DELETE', '/api/{userId}/session/{sessionId}'],
  endOtherSessions: ['DELETE', '/api/{userId}/session'],

  credentials: ['GET', '/api/{userId}/credentials'],
  changeCredentials: ['PUT', '/api/{userId}/credentials'],

  stocks: ['GET', '/api/{userId}/stock'],
  stock: ['GET', '/api/{userId}/stock/{code}'],
  updateStock: ['POST', '/api/{userId}/stock/{code}'],
  deleteStock: ['DELETE', '/api/{userId}/stock/{code}'],
  toggleSubscribed: ['POST', '/api/{userId}/stock/{code}/subscribed'],
  candles: ['GET', '/api/{userId}/stock/{code}/candle'],
  stockHistory: ['GET', '/api/{userId}/stock/{code}/history'],
  historyProgress: ['GET', '/api/{userId}/history'],
  sellStock: ['POST', '/api/{userId}/stock/{code}/sell'],
  sellStockAtPrice: ['POST', '/api/{userId}/stock/{code}/sell/price'],
  sellStockAtMarket: ['POST', '/api/{userId}/stock/{code}/sell/market-price'],
  checkBalance: ['POST', '/api/{userId}/stock/{code}/check-balance'],
  fixBalance: ['POST', '/api/{userId}/stock/{code}/fix-balance'],
  keepShares: ['PUT', '/api/{userId}/stock/{code}/kept'],
  releaseTrades: ['POST', '/api/{userId}/stock/{code}/release'],
  adjustment: ['GET', '/api/{userId}/stock/{code}/adjust'],
  adjustStock: ['POST', '/api/{userId}/stock/{code}/adjust'],
  giveUpExpected: ['POST', '/api/{userId}/stock/{code}/give-up'],
  applyOrder: ['POST', '/api/{userId}/stock/{code}/order/apply'],
  marketBuy: ['POST', '/api/{userId}/stock/{code}/order/buy'],

  saleQuote: ['GET', '/api/{userId}/stock/{code}/sell'],
  buyQuote: ['GET', '/api/{userId}/stock/{code}/buy'],

  trades: ['GET', '/api/{userId}/stock/{code}/trade'],
  sellTrade: ['POST', '/api/{userId}/stock/{code}/trade/{tradeId}/sell'],
  sellTradeAtCurrent: ['POST', '/api/{userId}/stock/{code}/trade/{tradeId}/sell/current-price'],
  sellTradeAtMarket: ['POST', '/api/{userId}/stock/{code}/trade/{tradeId}/sell/market-price'],

  today: ['GET', '/api/{userId}/today'],
  morning: ['GET', '/api/{userId}/morning'],
  balance: ['GET', '/api/{userId}/balance'],
  gain: ['GET', '/api/{userId}/balance/gain'],
  cancelOrders: ['POST', '/api/{userId}/balance/cancel'],
  cancelOrder: ['POST', '/api/{userId}/balance/cancel/{orderId}'],
  money: ['GET', '/api/{userId}/money'],
  setBankBalance: ['POST', '/api/{userId}/money/bank-balance'],

  ordered: ['GET', '/api/{userId}/kis/ordered'],
  importOrdered: ['POST', '/api/{userId}/kis/ordered'],
  orders: ['GET', '/api/{userId}/kis/order'],
  brokerBalance: ['GET', '/api/{userId}/kis/balance'],
  brokerProfit: ['GET', '/api/{userId}/kis/profit'],
  exportTable: ['GET', '/api/{userId}/export/{table}'],
  exportYear: ['GET', '/api/{userId}/export/year/{year}'],

  socket: ['GET', '/api/{userId}/socket'],
  connectSocket: ['POST', '/api/{userId}/socket'],
  disconnectSocket: ['DELETE', '/api/{userId}/socket'],
  events: ['GET', '/api/{userId}/events'],
  stop: ['GET', '/api/{userId}/stop'],
  setStop: ['POST', '/api/{userId}/stop'],
  liveOrders: ['GET', '/api/{userId}/stop/all'],
  stopAll: ['POST', '/api/{userId}/stop/all'],
  stopLink: ['GET', '/api/{userId}/stop/link'],
  makeStopLink: ['POST', '/api/{userId}/stop/link'],
  revokeStopLink: ['DELETE', '/api/{userId}/stop/link'],
  pressStopLink: ['POST', '/api/stop-link'],
  dismissOtherServer: ['POST', '/api/{userId}/other-server/dismiss'],
  limits: ['GET', '/api/{userId}/limits'],
  setLimits: ['POST', '/api/{userId}/limits'],
  setFirstDays: ['POST', '/api/{userId}/limits/first-days'],
  venues: ['GET', '/api/{userId}/venues'],
  setVenues: ['POST', '/api/{userId}/venues'],
  shadow: ['GET', '/api/{userId}/shadow'],
  setShadow: ['POST', '/api/{userId}/shadow'],
  shadowOrders: ['GET', '/api/{userId}/shadow/order'],
  realStart: ['GET', '/api/{userId}/shadow/{code}/start'],
  audit: ['GET', '/api/{userId}/audit'],
  connectionCheck: ['GET', '/api/{userId}/check'],
  startConnectionCheck: ['POST', '/api/{userId}/check'],

  notifications: ['GET', '/api/{userId}/notification'],
  notificationSetup: ['GET', '/api/{userId}/notification/setup'],
  setNotifications: ['POST', '/api/{userId}/notification/setup'],
  addChannel: ['POST', '/api/{userId}/notification/channel'],
  changeChannel: ['POST', '/api/{userId}/notification/channel/{channelId}'],
  removeChannel: ['DELETE', '/api/{userId}/notification/channel/{channelId}'],
  linkTelegram: ['POST', '/api/{userId}/notification/telegram'],
  testNotification: ['POST', '/api/{userId}/notification/test'],

  apiTokens: ['GET', '/api/{userId}/token'],
  makeApiToken: ['POST', '/api/{userId}/token'],
  revokeApiToken: ['DELETE', '/api/{userId}/token/{tokenId}'],

  adminUsers: ['GET', `${admin}/user`],
  adminUser: ['GET', `${admin}/user/{userId}`],
  adminOrdered: ['GET', `${admin}/user/{userId}/ordered`],
  adminOrders: ['GET', `${admin}/user/{userId}/order`],
  adminBrokerBalance: ['GET', `${admin}/user/{userId}/balance`],
  adminStocks: ['GET', `${admin}/user/{userId}/stock`],
  adminGain: ['GET', `${admin}/user/{userId}/gain`],
  adminMoney: ['GET', `${admin}/user/{userId}/money`],
  adminConnectSocket: ['POST', `${admin}/user/{userId}/socket`],
  adminDisconnectSocket: ['DELETE', `${admin}/user/{userId}/socket`],
  setMayAdd: ['PUT', `${admin}/user/{userId}/may-add`],
  resetFactors: ['DELETE', `${admin}/user/{userId}/factor`],
  createUserKey: ['POST', `${admin}/user/{userId}/userKey`],
  deleteUserKey: ['DELETE', `${admin}/user/{userId}/userKey`],
  bulkLogin: ['POST', `${admin}/login`],
  bulkCancel: ['POST', `${admin}/order/cancel`],
  bulkSell: ['POST', `${admin}/order/sell`],
  bulkCheck: ['POST', `${admin}/balance/check`],
  bulkFix: ['POST', `${admin}/balance/fix`],
  previewJob: ['GET', `${admin}/job-preview/{kind}`],
  jobs: ['GET', `${admin}/job`],
  startJob: ['POST', `${admin}/job`],
  job: ['GET', `${admin}/job/{jobId}`],
  cancelJob: ['POST', `${admin}/job/{jobId}/cancel`],
  retryJob: ['POST', `${admin}/job/{jobId}/retry`],
  adminServer: ['GET', `${admin}/server`],
  drainWorker: ['POST', `${admin}/server/{worker}/drain`],
  adminHistory: ['GET', `${admin}/history`],
  calendar: ['GET', `${admin}/calendar`],
  setCalendarDay: ['PUT', `${admin}/calendar/{day}`],
  deleteCalendarDay: ['DELETE', `${admin}/calendar/{day}`],
  adminLogout: ['POST', `${admin}/logout`],
} as const satisfies Record<string, readonly ['GET' | 'POST' | 'PUT' | 'DELETE', string]>

export type CallName = keyof typeof paths

/** Calls that are answered with a file, to be saved and not to be read by the client. */
export const FILE_CALLS = ['exportTable', 'exportYear'] as const satisfies readonly CallName[]
export type FileCall = (typeof FILE_CALLS)[number]
export const isFile = (name: CallName): name is FileCall => FILE_CALLS.some((file) => file === name)

/** The header that names one press: with the same key a keyed call is done once, however often it comes. */
export const KEY_HEADER = 'idempotency-key'
/** On a failure of a keyed call: asked again with its key, it turns out whether it was done. */
export const LOST_HEADER = 'x-digger-lost-answer'

/** Commands of one account. What else changes something does no harm when it comes twice. */
export const KEYED: ReadonlySet<CallName> = new Set([
  'updateStock',
  'deleteStock',
  'toggleSubscribed',
  'sellStock',
  'sellStockAtPrice',
  'sellStockAtMarket',
  'checkBalance',
  'fixBalance',
  'keepShares',
  'releaseTrades',
  'adjustStock',
  'giveUpExpected',
  'applyOrder',
  'marketBuy',
  'sellTrade',
  'sellTradeAtCurrent',
  'sellTradeAtMarket',
  'cancelOrders',
  'cancelOrder',
  'setStop',
  'stopAll',
  'dismissOtherServer',
  'setLimits',
  'setFirstDays',
  'setVenues',
  'setShadow',
])

/** A stop of the whole server is no command of an account: late, a loosening would undo the stricter one of somebody else. */
export const isKeyed = (name: CallName, body: unknown): boolean => KEYED.has(name) && !isServerStop(name, body)
export const isServerStop = (name: CallName, body: unknown): boolean =>
  name === 'setStop' && typeof body === 'object' && body !== null && 'level' in body && body.level === 'server'

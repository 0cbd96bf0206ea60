/** `msg_cd` of answers with rt_cd "0". */
export const SUCCESS = {
  quotation: 'MCA00000',
  order: 'APBK0013',
  paperBuy: '40600000',
  paperSell: '40590000',
  ledger: 'KIOK0510',
  ledgerMore: 'KIOK0500',
  ledgerEmpty: 'KIOK0560',
  paperLedger: '20310000',
} as const

/** Gateway codes; most arrive with HTTP 500, some also with 200, so the code speaks before the status. */
export const GATEWAY = {
  temporary: 'EGW00001',
  serverError: 'EGW00002',
  badAppKey: 'EGW00103',
  badAppSecret: 'EGW00105',
  tokenInvalid: 'EGW00121',
  tokenNotFound: 'EGW00122',
  tokenExpired: 'EGW00123',
  tokenThrottled: 'EGW00133',
  callsPerSecond: 'EGW00201',
  gatewayRouting: 'EGW00202',
  opsRouting: 'EGW00203',
  internalRouting: 'EGW00204',
  wrongTr: 'EGW00213',
  ledgerBusy: 'EGW00215',
  routing: 'EGW00300',
  connectTimeout: 'EGW00301',
  transactionTimeout: 'EGW00302',
  trIdInvalid: 'EGW00310',
  paperKeyOnReal: 'EGW02004',
  notOnPaper: 'EGW02006',
  realKeyOnPaper: 'EGW02007',
  /** Query server: no such transaction id. */
  noSuchService: 'OPSQ0002',
  badAccount: 'OPSQ2000',
} as const

/** Refusals of the account's lists that say how to ask instead. */
export const LIST_REFUSAL = {
  /**
   * "조회일자를 확인하십시오", with rt_cd "7": two public projects got it from daily-ccld (TTTC8001R) for order day to today, one
   * of them with a holiday as last day; both asked for the exact day instead and were answered. A third one read a month.
   */
  days: 'KIER2570',
  /** "조회이후에 자료가 변경되었습니다": several public projects, between two pages of order lists; all of them begin again. */
  changed: 'SYDB0050',
} as const

/** The call was refused because of the token: nothing behind the gateway saw it. */
export const TOKEN_CODES: readonly string[] = [GATEWAY.tokenInvalid, GATEWAY.tokenNotFound, GATEWAY.tokenExpired]

/** The gateway lost its way or its patience behind the door: an order may or may not exist. */
export const NO_VERDICT_CODES: readonly string[] = [
  GATEWAY.temporary,
  GATEWAY.serverError,
  GATEWAY.gatewayRouting,
  GATEWAY.opsRouting,
  GATEWAY.internalRouting,
  GATEWAY.routing,
  GATEWAY.connectTimeout,
  GATEWAY.transactionTimeout,
]

/** `msg_cd` of socket acks. */
export const SOCKET = {
  registered: 'OPSP0000',
  unregistered: 'OPSP0001',
  alreadyRegistered: 'OPSP0002',
  notRegistered: 'OPSP0003',
  registerInternal: 'OPSP0007',
  tooMany: 'OPSP0008',
  sendFailed: 'OPSP0009',
  badAppKey: 'OPSP0010',
  badApproval: 'OPSP0011',
  badTrId: 'OPSP8991',
  inUse: 'OPSP8996',
} as const

/** ORD_DVSN: what kind of order. 41–47 exist only in the KRX after-market (16:00–20:00), 27–29 only in NXT's pre-market. */
export const ORD_DVSN = {
  limit: '00',
  market: '01',
  conditionalLimit: '02',
  best: '03',
  top: '04',
  preOpen: '05',
  postClose: '06',
  limitIoc: '11',
  limitFok: '12',
  marketIoc: '13',
  marketFok: '14',
  bestIoc: '15',
  bestFok: '16',
  midpoint: '21',
  stopLimit: '22',
  midpointIoc: '23',
  midpointFok: '24',
  preLimit: '27',
  preBest: '28',
  preTop: '29',
  afterLimit: '41',
  afterLimitIoc: '42',
  afterLimitFok: '43',
  afterBest: '44',
  afterBestIoc: '45',
  afterBestFok: '46',
  afterTop: '47',
} as const

/** SLL_BUY_DVSN_CD of queries and SELN_BYOV_CLS of notices. */
export const SIDE_CODE = { sell: '01', buy: '02' } as const

/** RVSE_CNCL_DVSN_CD of order-rvsecncl. */
export const REVISE_CODE = { modify: '01', cancel: '02' } as const

/** CCLD_DVSN of daily-ccld. */
export const FILLED_CODE = { all: '00', filled: '01', unfilled: '02' } as const

/** The key pair or the account behind it is wrong: asking again changes nothing until a person acts. */
export const CREDENTIAL_CODES: readonly string[] = [
  'EGW00003',
  'EGW00004',
  'EGW00102',
  'EGW00103',
  'EGW00104',
  'EGW00105',
  'EGW00130',
  'EGW00206',
  'EGW00303',
  'EGW00304',
  'EGW02004',
  'EGW02007',
]

/** The call does not exist in this environment. */
export const NOT_OFFERED_CODES: readonly string[] = [
  GATEWAY.notOnPaper,
  GATEWAY.wrongTr,
  GATEWAY.noSuchService,
  'IGW00009',
]

import type { TaxedIssue } from '../ledger/costs.ts'

/**
 * Designated as: investment caution, warning and risk, under administration, in its last days before it is delisted (투자주의,
 * 투자경고, 투자위험, 관리종목, 정리매매).
 */
export const WARNINGS = ['caution', 'warning', 'risk', 'administrative', 'liquidation'] as const
export type Warning = (typeof WARNINGS)[number]

/** One issue the pretend exchange lists. */
export interface Listing extends TaxedIssue {
  readonly name: string
  /** Base price of the first day, won. */
  readonly base: number
  readonly warned?: Warning
  /** First day of trading, where it lies within the made-up history. */
  readonly listed?: string
  /** What became of the share before the market began: from `day` on one is `ratio` shares. */
  readonly splits?: readonly { readonly day: string; readonly ratio: number }[]
}

/**
 * Codes, names and prices of real issues, closes of early 2026 (ETF prices rounded). The NXT flag is set for large
 * issues; the true list (about 600) changes every quarter and is in no file of the broker.
 */
const KOSPI = [
  ['005930', '삼성전자', 158_600],
  ['000660', 'SK하이닉스', 839_000],
  ['373220', 'LG에너지솔루션', 385_000],
  ['207940', '삼성바이오로직스', 1_668_000],
  ['005380', '현대차', 467_500],
  ['000270', '기아', 151_900],
  ['105560', 'KB금융', 149_300],
  ['055550', '신한지주', 93_600],
  ['086790', '하나금융지주', 114_600],
  ['316140', '우리금융지주', 32_450],
  ['024110', '기업은행', 23_000],
  ['068270', '셀트리온', 220_000],
  ['035420', 'NAVER', 249_000],
  ['035720', '카카오', 56_200],
  ['323410', '카카오뱅크', 26_000],
  ['377300', '카카오페이', 64_900],
  ['005490', 'POSCO홀딩스', 359_500],
  ['051910', 'LG화학', 304_000],
  ['006400', '삼성SDI', 370_000],
  ['012330', '현대모비스', 426_000],
  ['028260', '삼성물산', 289_500],
  ['032830', '삼성생명', 184_300],
  ['012450', '한화에어로스페이스', 1_181_000],
  ['329180', 'HD현대중공업', 539_000],
  ['042660', '한화오션', 130_600],
  ['010140', '삼성중공업', 27_500],
  ['034020', '두산에너빌리티', 89_000],
  ['015760', '한국전력', 60_700],
  ['033780', 'KT&G', 163_300],
  ['017670', 'SK텔레콤', 69_200],
  ['030200', 'KT', 56_300],
  ['066570', 'LG전자', 99_200],
  ['003550', 'LG', 89_700],
  ['011200', 'HMM', 20_100],
  ['003490', '대한항공', 23_500],
  ['034220', 'LG디스플레이', 11_200],
  ['047040', '대우건설', 5_520],
] as const

const KOSDAQ = [
  ['247540', '에코프로비엠', 198_200],
  ['086520', '에코프로', 155_800],
  ['196170', '알테오젠', 361_000],
  ['277810', '레인보우로보틱스', 658_000],
  ['028300', 'HLB', 50_700],
  ['035900', 'JYP Ent.', 68_300],
  ['041510', '에스엠', 105_400],
  ['293490', '카카오게임즈', 15_340],
] as const

/** Listed on KRX only, as far as this exchange is concerned. */
const KRX_ONLY = [
  ['026960', '동서', 26_000],
  ['000040', 'KR모터스', 443],
] as const

const ETFS = [
  ['069500', 'KODEX 200', 75_000],
  ['102110', 'TIGER 200', 75_200],
  ['229200', 'KODEX 코스닥150', 18_500],
] as const

const FOREIGN_ETFS = [
  ['360750', 'TIGER 미국S&P500', 25_000],
  ['133690', 'TIGER 미국나스닥100', 168_000],
] as const

/** First days of trading within the last ten years: KRX's listings of 2017 to 2022. */
const LISTED: Readonly<Record<string, string>> = {
  '293490': '20200910',
  '323410': '20210806',
  '329180': '20210917',
  '377300': '20211103',
  '373220': '20220127',
  '316140': '20190213',
  '360750': '20200807',
}

/** Splits of face value, from the companies' announcements: 50, 5, 5 and 5 for one. */
const SPLITS: Readonly<Record<string, Listing['splits']>> = {
  '005930': [{ day: '20180504', ratio: 50 }],
  '035420': [{ day: '20181012', ratio: 5 }],
  '035720': [{ day: '20210415', ratio: 5 }],
  '086520': [{ day: '20240425', ratio: 5 }],
}

type Rows = readonly (readonly [code: string, name: string, base: number])[]
const list = (rows: Rows, rest: Pick<Listing, 'kind' | 'market' | 'nxt' | 'incomeTaxed'>): Listing[] =>
  rows.map(([code, name, base]) => ({ code, name, base, ...rest, ...pastOf(code) }))

function pastOf(code: string): Pick<Listing, 'listed' | 'splits'> {
  const [listed, splits] = [LISTED[code], SPLITS[code]]
  return { ...(listed === undefined ? {} : { listed }), ...(splits === undefined ? {} : { splits }) }
}

export const UNIVERSE: readonly Listing[] = [
  ...list(KOSPI, { kind: 'stock', market: 'KOSPI', nxt: true }),
  ...list(KOSDAQ, { kind: 'stock', market: 'KOSDAQ', nxt: true }),
  ...list(KRX_ONLY, { kind: 'stock', market: 'KOSPI', nxt: false }),
  ...list(ETFS, { kind: 'etf', market: 'KOSPI', nxt: false }),
  ...list(FOREIGN_ETFS, { kind: 'etf', market: 'KOSPI', nxt: false, incomeTaxed: true }),
]

/** Standard code: country, type of paper, the short code, and the check digit of ISO 6166. */
export function isin(code: string): string {
  const body = `KR7${code}00`
  const digits = Array.from(body, (c) => Number.parseInt(c, 36)).join('')
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, i) => {
      const n = Number(digit) * (i % 2 === 0 ? 2 : 1)
      return total + Math.floor(n / 10) + (n % 10)
    }, 0)
  return `${body}${(10 - (sum % 10)) % 10}`
}

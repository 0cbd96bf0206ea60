/**
 * What the exchange has designated an issue as, or does to its trading now; the gravest first. `unknown`: the broker said something
 * that is in none of its tables.
 */
export const ISSUE_STATUSES = [
  'liquidation',
  'administrative',
  'risk',
  'warning',
  'halted',
  'interrupted',
  'overheated',
  'caution',
  'unknown',
] as const
export type IssueStatus = (typeof ISSUE_STATUSES)[number]

/** As the exchange and the broker's own screens say them. */
export const STATUS_NAMES: Readonly<Record<IssueStatus, string>> = {
  liquidation: '정리매매',
  administrative: '관리종목',
  risk: '투자위험',
  warning: '투자경고',
  halted: '거래정지',
  interrupted: 'VI',
  overheated: '단기과열',
  caution: '투자주의',
  unknown: '상태 확인',
}

/** What Digger buys nothing of by itself, the gravest first: decision 060. */
const BARRED = ['liquidation', 'administrative', 'risk', 'warning'] as const satisfies readonly IssueStatus[]

/** The gravest of those for which nothing is bought automatically; null where none is. */
export const barringStatus = (statuses: readonly IssueStatus[]): (typeof BARRED)[number] | null =>
  BARRED.find((status) => statuses.includes(status)) ?? null

/** Each once, the gravest first. */
export const sortedStatuses = (statuses: Iterable<IssueStatus>): IssueStatus[] => {
  const all = new Set(statuses)
  return ISSUE_STATUSES.filter((status) => all.has(status))
}

import type { IconName } from '../components/Icon.tsx'

export type MenuLink = readonly [path: string, label: string, icon: IconName]

/** What the bottom bar and the menu lead to, after /{pathUserId}. */
export const USER_LINKS: readonly MenuLink[] = [
  ['/balance', '잔고', 'wallet'],
  ['/today', '오늘', 'today'],
  ['/morning', '아침 점검', 'clock'],
  ['/stock', '종목', 'stairs'],
  ['/whatif', '지난 시세로 보기', 'clock'],
  ['/gain', '실현 손익', 'bars'],
  ['/money', '자산 내역', 'line'],
  ['/kis/balance', '증권사 잔고', 'bank'],
  ['/kis/ordered', '체결 내역', 'check'],
  ['/kis/order', '미체결 주문', 'receipt'],
  ['/limits', '한도', 'shield'],
  ['/socket', '시세 연결', 'plug'],
  ['/check', '연결 점검', 'search'],
  ['/audit', '활동 기록', 'list'],
  ['/shadow', '그림자', 'eye'],
]

/** "모두의": the same of everybody, beside one account's own in the section above. */
export const ADMIN_LINKS: readonly MenuLink[] = [
  ['/admin/user', '사용자', 'people'],
  ['/admin/stock', '모두의 종목', 'stairs'],
  ['/admin/gain', '모두의 실현 손익', 'bars'],
  ['/admin/money', '모두의 자산 내역', 'line'],
  ['/admin/kis/balance', '모두의 증권사 잔고', 'bank'],
  ['/admin/kis/ordered', '모두의 체결 내역', 'check'],
  ['/admin/kis/order', '모두의 미체결 주문', 'receipt'],
  ['/admin/job', '작업', 'task'],
  ['/admin/server', '서버', 'server'],
  ['/admin/calendar', '거래일 달력', 'calendar'],
]

export const USER_TABS: readonly MenuLink[] = [
  ['/balance', '잔고', 'wallet'],
  ['/stock', '종목', 'stairs'],
  ['/kis/order', '주문', 'receipt'],
  ['/gain', '손익', 'bars'],
]
export const ADMIN_TABS: readonly MenuLink[] = [
  ['/admin/user', '사용자', 'people'],
  ['/admin/stock', '종목', 'stairs'],
  ['/admin/kis/order', '주문', 'receipt'],
  ['/admin/gain', '손익', 'bars'],
]

/** A tab is also the current one on what one comes to from it: a stock's own pages, executed orders beside open ones. */
export function isWithin(tab: string, path: string): boolean {
  const rest = path.slice(path.indexOf('/', 1))
  return rest === tab || rest.startsWith(`${tab}/`) || (tab.endsWith('/kis/order') && rest === `${tab}ed`)
}

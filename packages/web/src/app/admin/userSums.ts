import type { AdminUser } from './useAdminUsers.ts'

/** Which users are shown: all, or those that somebody must look at for one reason. */
export const SHOWS = [
  ['all', '모두', () => true],
  ['differences', '차이 있음', ({ summary }: AdminUser) => (summary?.differences ?? 0) > 0],
  ['stopped', '멈춤', ({ summary }: AdminUser) => summary !== null && summary.stop !== 'active'],
  ['unready', '준비 안 됨', ({ morning, userKey }: AdminUser) => morning?.state === 'red' && userKey !== false],
  ['keyless', '키 없음', ({ userKey }: AdminUser) => userKey === false],
] as const
export type Show = (typeof SHOWS)[number][0]

export const showOf = (text: string): Show => SHOWS.find(([show]) => show === text)?.[0] ?? 'all'

export const usersOf = (users: readonly AdminUser[], show: Show): readonly AdminUser[] =>
  users.filter(SHOWS.find(([name]) => name === show)?.[2] ?? (() => true))

/** Who must be looked at, and why: `장부 차이 1 · 멈춤 1`; null where all is well. */
export function attentionOf(users: readonly AdminUser[]): { count: number; text: string } | null {
  const reasons = SHOWS.filter(([show]) => show !== 'all')
  const count = users.filter((user) => reasons.some(([, , is]) => is(user))).length
  if (count === 0) return null
  const parts = reasons.map(([, name, is]) => [name, users.filter((user) => is(user)).length] as const)
  return {
    count,
    text: parts
      .filter(([, many]) => many > 0)
      .map(([name, many]) => `${name} ${many}`)
      .join(' · '),
  }
}

/** How the morning check stands; unknown where whatever process has the account does not answer. */
export function morningText(morning: AdminUser['morning']): string {
  if (morning === null) return '준비 모름'
  const { state, red, idle } = morning
  if (state === 'red') return `준비 안 됨 · ${red}가지`
  if (state === 'waiting') return '준비 중'
  return idle === undefined ? '준비됨' : idle === 'halt' ? '준비됨 · 멈춤' : '준비됨 · 연습'
}

/** What an account gained today after costs, won; null where it is not known. */
export const todayOf = ({ summary }: AdminUser): number | null =>
  summary === null || summary.openGain === null ? null : summary.realisedNet + summary.openGain

/** The sum of what is known, and of how many it is. */
export function sumOf(users: readonly AdminUser[], of: (user: AdminUser) => number | null) {
  const known = users.map(of).filter((value) => value !== null)
  return { sum: known.reduce((sum, value) => sum + value, 0), known: known.length }
}
export const totalOf = ({ summary }: AdminUser): number | null => summary?.totalAmount ?? null

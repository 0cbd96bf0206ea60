import { useLocation } from 'wouter'

/** Stands in a path for the person who is logged in. */
export const ME = 'user'

/** First words of the pages: a path that begins with one names no user, and means me. */
const PAGE_WORDS: ReadonlySet<string> = new Set([
  'admin',
  'audit',
  'balance',
  'credentials',
  'gain',
  'kis',
  'check',
  'limits',
  'money',
  'morning',
  'notification',
  'password',
  'security',
  'shadow',
  'socket',
  'stock',
  'today',
  'tokens',
  'whatif',
])

/** {pathUserId}: the first part of the path. */
export function usePathUser(): string {
  const [path] = useLocation()
  return pathUserOf(path)
}
export function pathUserOf(path: string): string {
  const first = decodeURIComponent(path.split('/')[1] ?? '')
  return first === '' || PAGE_WORDS.has(first) ? ME : first
}

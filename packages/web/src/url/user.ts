import { useLocation } from 'wouter'

/** Stands in a path for the person who is logged in. */
export const ME = 'user'

/** {pathUserId}: the first part of the path. */
export function usePathUser(): string {
  const [path] = useLocation()
  return pathUserOf(path)
}
export const pathUserOf = (path: string): string => decodeURIComponent(path.split('/')[1] ?? '') || ME

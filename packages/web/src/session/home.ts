import { ME, usePathUser, useViewer } from './viewer.ts'

/** Where "Home" leads: administrators to all users, anyone else to the balance of the current user. */
export function useHome(): string {
  const { admin } = useViewer()
  const user = usePathUser()
  return admin ? `/${ME}/admin/user` : `/${user}/balance`
}

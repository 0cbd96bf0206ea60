import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useFailure } from '../../api/problem.ts'
import type { SheetItem } from '../../ask/ask.ts'
import { Empty, Loading, QueryView } from '../../components/QueryView.tsx'
import { Page } from '../../components/Page.tsx'
import { ME } from '../../url/user.ts'
import css from './AdminFrame.module.css'
import { useAdminUsers, type AdminUser } from './useAdminUsers.ts'
import { Key, Socket } from './UserFacts.tsx'

interface Props {
  title: string
  name: string
  menu?: readonly SheetItem[]
  /** Above the users: a range. */
  head?: ReactNode
  children: (user: AdminUser) => ReactNode
}

/** Every user, and under each what the page is about. */
export function AdminFrame({ title, name, menu, head, children }: Props) {
  const query = useAdminUsers()
  return (
    <Page title={title} name={name} homeHref={`/${ME}/admin/user`} {...(menu && { menu })} wide>
      {head}
      <QueryView
        query={query}
        empty={{ when: (users) => users.length === 0, show: <Empty title="사용자가 없습니다" /> }}
      >
        {(users) =>
          users.map((user) => (
            <section key={user.userId} className={css['user']} aria-label={user.email}>
              <div className={css['head']}>
                <h2>
                  <Link href={`/${user.userId}/balance`}>{user.email}</Link>
                </h2>
                <Key user={user} />
                <Socket user={user} />
              </div>
              {children(user)}
            </section>
          ))
        }
      </QueryView>
    </Page>
  )
}

/** One user's part. A failure is one line here: it must not hide the other users. */
export function Topic<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  const error = useFailure(query)
  if (query.data !== undefined) return children(query.data)
  return error ? <p className={css['failed']}>자료를 가져오지 못했습니다. {error.message}</p> : <Loading rows={1} />
}

export const Nothing = ({ children }: { children: ReactNode }) => <p className={css['failed']}>{children}</p>

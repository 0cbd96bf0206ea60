import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFailure } from '../api/problem.ts'
import type { Problem } from '../api/problem.ts'
import { clock } from '../format/time.ts'
import { Button } from './Button.tsx'
import css from './QueryView.module.css'
import { Icon } from './Icon.tsx'

/** Lines of a list; cards of stocks; the same below a summary. */
type Shape = 'lines' | 'cards' | 'summary'

interface Props<T> {
  query: UseQueryResult<T>
  /** What an empty page says and offers. Without it the page is never empty. */
  empty?: { when: (data: T) => boolean; show: ReactNode }
  /** Placeholder rows shown while loading. */
  rows?: number
  /** What the placeholders stand for: they are as large. */
  shape?: Shape
  /** Heights of the first parts that come, px, where they are no lines: what is seen first stays where it is. */
  heights?: readonly number[] | undefined
  children: (data: T) => ReactNode
}

/** The five faces of a page: failed, loading, stale, empty, full. A failed page never looks like an empty one. */
export function QueryView<T>({ query, empty, rows = 4, shape = 'lines', heights, children }: Props<T>) {
  const { data, refetch, isFetching, dataUpdatedAt } = query
  const error = useFailure(query)
  const retry = () => void refetch()
  if (data === undefined)
    return error ? (
      <Failed error={error} onRetry={retry} busy={isFetching} />
    ) : (
      <Loading rows={rows} shape={shape} heights={heights} />
    )
  return (
    <>
      {error && <Stale since={dataUpdatedAt} message={error.message} onRetry={retry} />}
      {empty?.when(data) ? empty.show : children(data)}
    </>
  )
}

const NEED_KEY = '사용자 키가 없어 증권사에 연결할 수 없습니다. 로그아웃한 뒤 다시 로그인하면 키가 열립니다.'

export function Failed({ error, onRetry, busy }: { error: Problem; onRetry: () => void; busy: boolean }) {
  return (
    <div className={css['note']} role="alert">
      <Icon name={error.code === 'OFFLINE' ? 'cloud' : 'warn'} size={40} />
      <h2>불러오지 못했습니다</h2>
      <p>{error.code === 'NEED_USERKEY' ? NEED_KEY : error.message}</p>
      <Button look="main" onClick={onRetry} disabled={busy}>
        다시 시도
      </Button>
    </div>
  )
}

type LoadingProps = Pick<Props<unknown>, 'shape' | 'heights'> & { rows: number }

export function Loading({ rows, shape = 'lines', heights }: LoadingProps) {
  return (
    <output className={css['loading']} data-shape={shape} aria-label="불러오는 중">
      {Array.from({ length: heights?.length ?? rows }, (_, row) => (
        <span key={row} className={css['skeleton']} style={{ height: heights?.[row] }} />
      ))}
    </output>
  )
}

export function Stale({ since, message, onRetry }: { since: number; message: string; onRetry: () => void }) {
  return (
    <output className={css['stale']}>
      <p>
        <strong>{clock(since)} 기준입니다.</strong> 새로 고치지 못했습니다: {message}
      </p>
      <Button look="quiet" onClick={onRetry}>
        다시 시도
      </Button>
    </output>
  )
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={css['note']}>
      <h2>{title}</h2>
      {children}
    </div>
  )
}

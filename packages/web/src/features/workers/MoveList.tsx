import type { ShardMove } from '@digger/contract'
import { Icon } from '../../components/Icon.tsx'
import { Panel } from '../../components/Panel.tsx'
import { stamp } from '../../format/time.ts'
import css from './Workers.module.css'

/** Who took accounts from whom, newest first. */
export function MoveList({ moves }: { moves: readonly ShardMove[] }) {
  return (
    <Panel label="옮긴 기록">
      <h2>옮긴 기록</h2>
      {moves.length === 0 && <p className={css['note']}>아직 옮긴 계좌가 없습니다.</p>}
      <ul className={css['moves']}>
        {moves.map(({ at, shards, from, to, why }) => (
          <li key={`${at} ${from} ${to} ${why}`}>
            <time dateTime={at}>{stamp(at)}</time>
            <span className={css['way']}>
              {from ?? '없음'} <Icon name="next" size={14} />
              <span className="unseen">에서</span> {to}
            </span>
            <span>묶음 {shards}개</span>
            <span className={css['why']}>{why}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

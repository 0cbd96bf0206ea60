import type { ServerState, WorkerState } from '@digger/contract'
import { gap } from '../../format/time.ts'

export const ROLE_NAMES: Readonly<Record<ServerState['role'], string>> = {
  all: '서버 한 대',
  worker: '워커',
  gateway: '게이트웨이',
}

type State = 'working' | 'draining' | 'drained' | 'dead'

export const STATE_NAMES: Readonly<Record<State, string>> = {
  working: '일하는 중',
  draining: '비우는 중',
  drained: '비었음',
  dead: '응답 없음',
}

export function stateOf({ alive, draining, shards }: WorkerState): State {
  if (!alive) return 'dead'
  if (!draining) return 'working'
  return shards > 0 ? 'draining' : 'drained'
}

/** Renewed once a second: more than a few and it hangs. */
export const leaseText = ({ leaseAge }: WorkerState): string => `${gap(leaseAge * 1_000)} 전`

/** Whether anybody would be left to take its accounts; the server looks again. */
export const canBeDrained = ({ id }: WorkerState, workers: readonly WorkerState[]): boolean =>
  workers.some((other) => other.id !== id && stateOf(other) === 'working')

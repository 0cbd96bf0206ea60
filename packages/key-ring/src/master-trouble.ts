import type { Trouble } from '@digger/engine'
import type { MasterState } from '@digger/identity'

/** What the operator has to do about the master key; null where it does its work. `isOpen`: whether a user's key is. */
export function masterTrouble(state: MasterState | null, isOpen: (userId: string) => boolean): Trouble | null {
  const locked = state?.wrappedByOther.filter((userId) => !isOpen(userId)).length ?? 0
  const isReplaced = state?.replaced === true
  if (!isReplaced && locked === 0) return null
  const sentences = [isReplaced ? REPLACED : ANOTHER, REMEDY]
  if (locked > 0) sentences.push(`계좌 ${locked}개는 그때까지, 또는 사용자가 로그인할 때까지 매매하지 않습니다.`)
  return { code: 'master', accounts: locked === 0 ? null : locked, text: sentences.join(' ') }
}

const REPLACED = 'MASTER_KEY_FILE의 마스터 키는 다른 키로 교체된 것입니다.'
const ANOTHER = 'MASTER_KEY_FILE의 마스터 키가 사용자 키를 잠근 키와 다릅니다.'
const REMEDY = 'MASTER_KEY_FILE을 지금 쓰는 마스터 키의 파일로 바꿔 서버를 다시 켜 주세요.'

import type { BulkKind, Job, JobPreview } from '@digger/contract'

/** What can be begun, as people call it, the harmless first. */
export const BULK_KINDS: readonly (readonly [kind: BulkKind, name: string])[] = [
  ['check', '잔고 확인'],
  ['login', '로그인'],
  ['fix', '잔고 맞춤'],
  ['cancel', '주문 모두 취소'],
  ['sell', '매도 모두 걸기'],
]

/** These send orders or cancels, or change the book. */
export const isDangerous = (kind: BulkKind): boolean => kind === 'sell' || kind === 'cancel' || kind === 'fix'

export const isRunning = ({ finishedAt }: Pick<Job, 'finishedAt'>): boolean => finishedAt === null

export const endedOf = ({ counts }: Pick<Job, 'counts'>): number => counts.done + counts.failed + counts.cancelled

/** How it stands, in two or three words. */
export function stateText(job: Job): string {
  if (isRunning(job)) return job.cancelledAt === null ? '진행 중' : '멈추는 중'
  if (job.cancelledAt !== null) return '멈춤'
  return job.counts.failed === 0 ? '모두 됨' : `실패 ${job.counts.failed}명`
}

/** What came of it so far, as one sentence. */
export function countText({ counts, total }: Pick<Job, 'counts' | 'total'>): string {
  const parts = [
    [counts.done, '됨'],
    [counts.failed, '안 됨'],
    [counts.cancelled, '하지 않음'],
    [counts.running, '하는 중'],
    [counts.waiting, '기다림'],
  ] as const
  const shown = parts.filter(([count]) => count > 0).map(([count, name]) => `${name} ${count}명`)
  return shown.length === 0 ? `사용자 ${total}명` : shown.join(' · ')
}

/** Who was left out may be tried again. */
export const leftOut = ({ counts }: Pick<Job, 'counts'>): number => counts.failed + counts.cancelled

/** What a preview says of whom it would touch. */
export function touchedText({ touched, users }: JobPreview): string {
  if (touched === null) return `사용자 ${users}명`
  if (touched.amount === 0) return `${touched.unit} 없음`
  return `사용자 ${touched.users}명, ${touched.unit} ${touched.amount}개`
}

/** From here on a person is told why it takes long, and what can be done, s. */
export const LONG_SECONDS = 20

/** Whole seconds since a task began; a clock that is behind shows none below zero. */
export const secondsSince = (startedAt: number, now: number): number =>
  Math.max(0, Math.floor((now - startedAt) / 1_000))

/** `12초`, `2분 5초`. */
export function secondsText(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return minutes === 0 ? `${seconds}초` : `${minutes}분 ${seconds % 60}초`
}

/** Why it takes long, and what one can do about it. */
export const ADVICE = {
  compare:
    '증권사는 잔고와 주문을 1~2초에 한 번만 알려 주고, 체결이 이어지는 동안에는 같은 답이 나올 때까지 다시 묻습니다. 급하면 매매를 멈춘 뒤 다시 하세요.',
  import: '증권사는 체결을 조금씩 나누어 보냅니다. 다음에는 기간을 줄이면 빨리 끝납니다.',
  bulk: '사용자마다 증권사에 차례로 묻습니다. 체결이 이어지는 사용자는 더 걸립니다. 급하면 매매를 멈춘 뒤 다시 하세요.',
} as const
export type Advice = keyof typeof ADVICE

export const ELSEWHERE = '다른 화면에 가 있어도 계속하며, 결과는 그 화면 위에 알려 드립니다.'

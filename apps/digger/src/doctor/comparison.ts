import { askAgain, compareShapes, type Comparison } from '@digger/doctor'
import type { Archive } from './archive-folder.ts'
import { ACCOUNT, pretendedKis } from './pretended-account.ts'

/** Asks a pretended KIS of its own what the archive's broker was asked, in this process and at the same times. */
export async function comparePretended({ replies, env }: Archive): Promise<Comparison> {
  const sim = await pretendedKis(replies, env)
  try {
    const advanceTo = (at: number): Promise<void> => sim.clock.advance(Math.max(0, at - sim.clock.now()))
    return compareShapes(await askAgain(replies, { url: sim.url, credentials: ACCOUNT, advanceTo }))
  } finally {
    await sim.close()
  }
}

/** For a terminal. */
export function comparisonLines({ differences, repliesAlike, fieldsAlike, notCompared }: Comparison): string[] {
  const alike =
    fieldsAlike === 0
      ? '견줄 수 있는 응답이 하나도 없습니다.'
      : `응답 ${repliesAlike}건과 값 ${fieldsAlike}가지가 모의 증권사와 같은 꼴입니다.`
  return [
    ...(differences.length === 0 ? [] : [`[다릅니다] ${differences.length}건`]),
    ...differences.map(({ call, field, text }) => `  ${`${call} ${field}`.trim()}: ${text}`),
    ...(notCompared.length === 0 ? [] : [`[견주지 못했습니다] ${notCompared.length}건`]),
    ...notCompared.map((line) => `  ${line}`),
    alike,
  ]
}

/** 0: alike; 1: something is different; 2: nothing could be compared. */
export function exitCodeOfComparison({ differences, fieldsAlike }: Comparison): 0 | 1 | 2 {
  if (differences.length > 0) return 1
  return fieldsAlike === 0 ? 2 : 0
}

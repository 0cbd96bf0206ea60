import type { FirstDays } from '@digger/contract'
import { showDay } from '../../format/day.ts'
import { won } from '../../format/won.ts'

type Rule = Pick<FirstDays, 'on' | 'days' | 'amount'>

/** `첫 5거래일, 한 번에 1주, 하루 1,000,000원까지`. */
export const ruleText = ({ on, days, amount }: Rule): string =>
  on ? `${days === null ? '직접 풀 때까지' : `첫 ${days}거래일`}, 한 번에 1주, 하루 ${won(amount)}까지` : '쓰지 않음'

/** How far it has come. */
export function progressText({ on, days, startedOn, usedDays }: FirstDays): string | null {
  if (!on) return null
  if (startedOn === null) return '첫 매수가 나가는 날부터 셉니다.'
  return days === null
    ? `${showDay(startedOn)}에 시작했습니다.`
    : `${showDay(startedOn)}에 시작해 오늘 ${Math.min(usedDays + 1, days)}일째입니다.`
}

/** Whether a rule binds less than the one in force, in any part: that part waits for the next day. */
export function isLooserRule(now: Rule, wanted: Rule): boolean {
  if (!now.on) return false
  return (
    !wanted.on || wanted.amount > now.amount || (wanted.days !== null && (now.days === null || wanted.days < now.days))
  )
}

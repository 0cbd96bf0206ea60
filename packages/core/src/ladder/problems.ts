import type { Settings } from './types.ts'
import { isExactPercent, PERCENT_DECIMALS } from './percent.ts'

export interface SettingsProblem {
  readonly field: keyof Settings
  readonly text: string
}

/** What people call each setting. */
export const SETTING_NAMES = {
  maxBuyPrice: '최고 매수가',
  lastBuyPrice: '마지막 매수가',
  maxBuyAmount: '최대 매수 금액',
  buyUnitPrice: '1회 매수 금액',
  buyPercent: '매수 비율',
  sellPercent: '매도 비율',
  minSellPrice: '최저 매도가',
  autoBuy: '자동 매수',
  autoSell: '자동 매도',
  autoSellWithAvgPrice: '평균 단가로 한 번에 매도',
  useMinSellPrice: '최저 매도가 사용',
  recoverLastBuyPrice: '판 뒤 매수 기준 되돌리기',
} as const satisfies Record<keyof Settings, string>

/** Everything that keeps these settings from being saved. Buying rules bind only while autoBuy is on, selling rules while autoSell is. */
export function settingsProblems(settings: Settings): SettingsProblem[] {
  return [
    ...numberProblems(settings),
    ...(settings.autoBuy ? buyProblems(settings) : []),
    ...(settings.autoSell ? sellProblems(settings) : []),
  ]
}

/** Why the buying rules cannot be computed from these settings. */
export function buyProblems(settings: Settings): SettingsProblem[] {
  const missing = (field: keyof Settings, text: string) => (settings[field] ? [] : [{ field, text }])
  return [
    ...missing('maxBuyPrice', '자동 매수를 켜려면 최고 매수가를 1원 이상으로 입력해 주세요.'),
    ...missing('maxBuyAmount', '자동 매수를 켜려면 최대 매수 금액을 1원 이상으로 입력해 주세요.'),
    ...missing('buyUnitPrice', '자동 매수를 켜려면 1회 매수 금액을 입력해 주세요. 1을 넣으면 한 번에 1주씩 삽니다.'),
    ...(settings.buyPercent < 0
      ? []
      : [{ field: 'buyPercent' as const, text: '매수 비율은 0보다 작아야 합니다. 예: -1은 1% 내릴 때마다 삽니다.' }]),
  ]
}

/** Why the selling rules cannot be computed from these settings. */
export function sellProblems(settings: Settings): SettingsProblem[] {
  const problems: SettingsProblem[] = []
  if (!(settings.sellPercent > 0)) {
    problems.push({ field: 'sellPercent', text: '매도 비율은 0보다 커야 합니다. 예: 1.2는 1.2% 오르면 팝니다.' })
  }
  if (settings.useMinSellPrice && !settings.minSellPrice) {
    problems.push({ field: 'minSellPrice', text: '최저 매도가를 쓰려면 그 가격을 1원 이상으로 입력해 주세요.' })
  }
  return problems
}

const WON_FIELDS = ['maxBuyPrice', 'maxBuyAmount', 'buyUnitPrice', 'lastBuyPrice', 'minSellPrice'] as const
const PERCENT_FIELDS = ['buyPercent', 'sellPercent'] as const
/** Exact arithmetic holds to here, and no setting of a person comes near. */
const MAX_WON = 1_000_000_000_000

function numberProblems(settings: Settings): SettingsProblem[] {
  const problems: SettingsProblem[] = []
  for (const field of WON_FIELDS) {
    const value = settings[field]
    if (value !== null && !(Number.isInteger(value) && value >= 0 && value <= MAX_WON)) {
      problems.push({ field, text: '0원부터 1조 원까지의 원 단위 정수여야 합니다.' })
    }
  }
  for (const field of PERCENT_FIELDS) {
    const value = settings[field]
    if (!(value > -100 && value <= 1000)) problems.push({ field, text: '-100보다 크고 1000 이하인 숫자여야 합니다.' })
    else if (!isExactPercent(value))
      problems.push({ field, text: `소수점 아래 ${PERCENT_DECIMALS}자리까지만 쓸 수 있습니다.` })
  }
  return problems
}

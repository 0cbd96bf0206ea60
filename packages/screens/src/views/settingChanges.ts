import { SETTING_NAMES, type Settings } from '@digger/core'

/** `최고 매수가 75,000원 → 80,000원`, for the log of changes. */
export function settingChanges(before: Settings, after: Settings): string {
  return SETTINGS.filter((field) => before[field] !== after[field])
    .map((field) => `${SETTING_NAMES[field]} ${valueText(field, before)} → ${valueText(field, after)}`)
    .join(', ')
}

/** In the order of the screens. */
const SETTINGS = [
  'autoBuy',
  'maxBuyPrice',
  'lastBuyPrice',
  'maxBuyAmount',
  'buyUnitPrice',
  'buyPercent',
  'autoSell',
  'sellPercent',
  'autoSellWithAvgPrice',
  'useMinSellPrice',
  'minSellPrice',
  'recoverLastBuyPrice',
] as const satisfies readonly (keyof Settings)[]

function valueText(field: (typeof SETTINGS)[number], settings: Settings): string {
  const value = settings[field]
  if (typeof value === 'boolean') return value ? '켜짐' : '꺼짐'
  if (value === null) return '없음'
  return field === 'buyPercent' || field === 'sellPercent' ? `${value}%` : `${value.toLocaleString('ko-KR')}원`
}

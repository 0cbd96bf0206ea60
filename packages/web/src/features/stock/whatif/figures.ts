import type { MapCell } from '@digger/core'
import { showDay } from '../../../format/day.ts'
import { number, signedPercent, signedWon, withMinus, won } from '../../../format/won.ts'
import type { Run, Way } from './protocol.ts'

export type Unit = 'gain' | 'won' | 'times' | 'shares' | 'lots' | 'days'

/** One figure of a run: from the lower to the higher of both ways, which are often the same. */
export interface Figure {
  readonly name: string
  readonly unit: Unit
  readonly ends: readonly [low: number, high: number]
  readonly note?: string
}

export const endsOf = ({ both: { kind, unkind } }: Run, of: (way: Way) => number): readonly [number, number] => {
  const [a, b] = [of(kind), of(unkind)]
  return a <= b ? [a, b] : [b, a]
}

/** What a run is told by, the most important first. */
export function figuresOf(run: Run): readonly Figure[] {
  const figure = (name: string, unit: Unit, of: (way: Way) => number, note?: string): Figure => ({
    name,
    unit,
    ends: endsOf(run, of),
    ...(note !== undefined && { note }),
  })
  return [
    figure('합계(비용 뺌)', 'gain', ({ total }) => total),
    figure('그냥 들고 있었다면', 'gain', ({ holding }) => holding),
    figure('실현 손익(세전)', 'gain', ({ gross }) => gross),
    figure('실현 손익(비용 뺌)', 'gain', ({ net }) => net),
    figure('남은 매매', 'lots', ({ lots }) => lots),
    figure('남은 주식', 'shares', ({ shares }) => shares),
    figure('남은 주식의 평가 손익', 'gain', ({ openGain }) => openGain),
    figure('가장 많이 들어간 돈', 'won', ({ mostIn }) => mostIn),
    figure('가장 큰 평가 손실', 'gain', ({ worstLoss }) => worstLoss, worstDayText(run)),
    figure('산 횟수', 'times', ({ buys }) => buys),
    figure('판 횟수', 'times', ({ sells }) => sells),
    figure('거래 없던 가장 긴 기간', 'days', ({ longestWait }) => longestWait),
  ]
}

/** The day of the worst loss of both ways. */
function worstDayText({ both: { kind, unkind } }: Run): string {
  const { worstDay } = unkind.worstLoss <= kind.worstLoss ? unkind : kind
  return worstDay === null ? '' : showDay(worstDay)
}

const UNITS = { gain: '원', won: '원', times: '번', shares: '주', lots: '건', days: '거래일' } as const

export const amountText = (value: number, unit: Unit): string =>
  unit === 'gain' ? signedWon(value) : `${number(value)}${UNITS[unit]}`

/** One number where both ways agree. */
export const endsText = ([low, high]: Figure['ends'], unit: Unit): string =>
  low === high ? amountText(low, unit) : `${amountText(low, unit)} ~ ${amountText(high, unit)}`

/** −1.2% of a size without sign: what a step down, or up, is called. */
export const downText = (size: number): string => withMinus(`-${size}%`)
export const upText = (size: number): string => `+${size}%`

/** What everybody should have in mind who reads the figures. */
export const ASSUMPTIONS: readonly string[] = [
  '주문은 낸 값에 모두 체결되고, 돈은 언제나 있다고 봅니다. 실제로는 덜 체결되거나 더 비싸게 사는 날이 있습니다.',
  '하루(1분) 안에서 고가와 저가 중 무엇이 먼저였는지는 알 수 없습니다. 그래서 유리한 쪽과 불리한 쪽을 모두 계산해 범위로 보여 줍니다. 둘이 같으면 숫자가 하나입니다.',
  '하루에 여러 번 오르내린 것은 한 번으로 셉니다. 그래서 실제 결과는 이 범위를 벗어날 수 있습니다.',
  '아무것도 들고 있지 않은 상태에서 시작합니다. 지금 들고 있는 주식과 마지막 매수가는 쓰지 않습니다.',
  '세금은 판 날의 세율로, 수수료는 지금의 온라인 수수료(0.015%)로 뺍니다. 호가 단위와 가격 제한폭은 지금의 것입니다. 값은 분할과 합병을 반영한 수정 주가입니다.',
]

/** What keeps the ladder from buying for long. */
export const aboveText = ({ above }: Run): string | null =>
  above < 1 ? null : `이 기간의 ${Math.round(above)}%는 값이 최고 매수가보다 높아서 사다리가 사지 않고 기다렸습니다.`

/** The way that gained less: which of both it is differs from run to run. */
const lesserOf = ({ both: { kind, unkind } }: Run): Way => (kind.total < unkind.total ? kind : unkind)

/**
 * Whether the ladder or holding was better, and by how much, on the way that gained less. Holding is counted as sold at the end, after
 * the costs of that; so the ladder's rest is counted as sold, too.
 */
export function againstHolding(run: Run): string | null {
  const { mostIn, total, closing, holding } = lesserOf(run)
  if (mostIn === 0) return null
  const difference = total - closing - holding
  if (difference === 0) return '가장 많이 들어간 돈만큼 처음에 사서 들고 있은 것과 같습니다.'
  return difference > 0
    ? `가장 많이 들어간 돈만큼 처음에 사서 들고 있은 것보다 ${won(difference)} 더 벌었습니다.`
    : `가장 많이 들어간 돈만큼 처음에 사서 들고 있었다면 ${won(-difference)} 더 벌었습니다.`
}

/** Of the most money in; null: nothing was bought. */
export function returnText(run: Run): string | null {
  const { mostIn, total } = lesserOf(run)
  if (mostIn === 0) return null
  return `불리한 쪽의 합계는 가장 많이 들어간 돈의 ${signedPercent((100 * total) / mostIn, 1)}입니다.`
}

/** Of what is left; null: nothing is. */
export function closingText(run: Run): string | null {
  const { shares, closing } = lesserOf(run)
  return shares === 0 ? null : `남은 주식을 마지막 종가에 다 팔면 수수료와 세금 ${won(closing)}이 더 듭니다.`
}

/** What a cell of the map says. */
export function cellText({ buyPercent, sellPercent, total, mostIn }: MapCell): string {
  const steps = `매수 ${downText(-buyPercent)}, 매도 ${upText(sellPercent)}`
  return `${steps}: 합계 ${endsText(total, 'gain')}, 가장 많이 들어간 돈 ${endsText(mostIn, 'won')}`
}

/** How far the best cell of the map is to be trusted. */
export function bestText(best: MapCell, share: number | null): string {
  const place = `매수 ${downText(-best.buyPercent)}, 매도 ${upText(best.sellPercent)}`
  if (best.total[0] <= 0) return `이 기간에는 어느 칸도 이익이 없었습니다. 가장 덜 잃은 칸은 ${place}입니다.`
  const around =
    share === null
      ? ''
      : share >= 80
        ? ` 이웃 칸들도 그 이익의 ${share}%를 냈습니다.`
        : ` 이웃 칸들은 그 이익의 ${share}%에 그쳤습니다. 우연히 맞은 값일 수 있습니다.`
  return `가장 많이 번 칸: ${place}, 합계 ${signedWon(best.total[0])}(불리한 쪽).${around}`
}

export const FITTING =
  '지난 시세에 가장 잘 맞는 값이 앞으로도 좋은 것은 아닙니다. 한 칸만 튀는 값보다 이웃 칸들이 고르게 괜찮은 값을 고르세요.'

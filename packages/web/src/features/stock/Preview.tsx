import { barringStatus, nextBuyPrice, settingsProblems, STATUS_NAMES, type Settings } from '@digger/core'
import type { Stock } from '@digger/contract'
import { useToday } from '../../clock/now.ts'
import { Panel } from '../../components/Panel.tsx'
import { number, won } from '../../format/won.ts'
import { settingsOf, type Draft } from './draft.ts'
import { comingBuys, saleText, worstText } from './nextOrders.ts'
import css from './Preview.module.css'
import { Warnings } from './Warnings.tsx'

interface Planned {
  settings: Settings
  stock: Stock
}

/** What the settings as typed would do: what would surprise, the next orders, and the most they can cost. */
export function Preview({ stock, draft }: { stock: Stock; draft: Draft }) {
  const settings = settingsOf(draft)
  if (settings === null) {
    return (
      <Panel label="미리 보기">
        <h2>미리 보기</h2>
        <p className={css['problem']}>숫자가 아닌 값이 있어 계산할 수 없습니다.</p>
      </Panel>
    )
  }
  return (
    <Panel label="미리 보기">
      <h2>이 설정대로라면</h2>
      {settings.autoBuy && <Barred statuses={stock.statuses} />}
      {settingsProblems(settings).length === 0 && <Warnings settings={settings} stock={stock} />}
      <Buys settings={settings} stock={stock} />
      <Sells settings={settings} stock={stock} />
    </Panel>
  )
}

function Barred({ statuses }: Pick<Stock, 'statuses'>) {
  const barring = barringStatus(statuses)
  if (barring === null) return null
  const until = barring === 'liquidation' ? '' : ' 지정이 풀리면 다시 삽니다.'
  return (
    <p className={css['problem']}>
      {STATUS_NAMES[barring]} 종목이라 자동 매수를 켜도 사지 않습니다. 가진 주식은 설정대로 팝니다.{until}
    </p>
  )
}

function Buys({ settings, stock }: Planned) {
  const next = comingBuys(settings, stock)
  return (
    <>
      <h3 className={css['name']}>다음 매수 {settings.autoBuy ? '' : '(지금은 꺼져 있음)'}</h3>
      {next.length === 0 ? (
        <p className={css['note']}>더 살 것이 없습니다.</p>
      ) : (
        <ol className={css['list']}>
          {next.map(({ price, count, now }) => (
            <li key={price}>
              <b>
                {now && '지금 '}
                {won(price)}
              </b>{' '}
              {number(count)}주 · {won(price * count)}
            </li>
          ))}
        </ol>
      )}
      {waitingTexts(settings, stock).map((text) => (
        <p key={text} className={css['note']}>
          {text}
        </p>
      ))}
      <h3 className={css['name']}>계속 떨어지면 (최악의 경우)</h3>
      <p className={css['worst']}>{worstText(settings, stock)}</p>
    </>
  )
}

function Sells({ settings, stock }: Planned) {
  return (
    <>
      <h3 className={css['name']}>매도 {settings.autoSell ? '' : '(지금은 꺼져 있음)'}</h3>
      <p className={css['note']}>{saleText(settings, stock, useToday())}</p>
    </>
  )
}

/** What people expect otherwise: how far the ladder waits, and that steps a fall has skipped are not bought on the way up. */
export function waitingTexts(settings: Settings, { kind, price }: Pick<Stock, 'kind' | 'price'>): string[] {
  const next = nextBuyPrice(settings, kind)
  if (!settings.autoBuy || next === null) return []
  const { lastBuyPrice, recoverLastBuyPrice } = settings
  const waits = lastBuyPrice !== null && (price === null || price > next)
  const kept = ' 모두 판 뒤에도 기준가는 그대로라, 값이 오르면 마지막 매수가를 고치기 전에는 다시 사지 않습니다.'
  return [
    ...(waits
      ? [`기준가 ${won(lastBuyPrice)} 아래 ${won(next)}까지 기다립니다.${recoverLastBuyPrice ? '' : kept}`]
      : []),
    '값이 한 번에 여러 단계를 내리면 그 자리에서 한 번만 삽니다. 다시 오르는 길에는 건너뛴 단계를 사지 않습니다.',
  ]
}

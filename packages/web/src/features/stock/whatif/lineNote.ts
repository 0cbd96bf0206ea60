import type { Stock } from '@digger/contract'
import type { Line } from './allStocks.ts'

/** Of a stock that has no figures why, else what of its settings is off. */
export function lineNote({ code, autoBuy, autoSell }: Stock, line: Line | null): string {
  if (line === null) return `${code} · 차례를 기다립니다`
  if (line.kind === 'failed') return `${code} · 지난 시세를 불러오지 못했습니다. 새로 고쳐 주세요.`
  if (line.kind === 'none') return `${code} · ${line.note ?? '지난 시세를 아직 읽지 못했습니다.'}`
  const off = [...(autoBuy ? [] : ['BUY']), ...(autoSell ? [] : ['SELL'])]
  return off.length === 0 ? code : `${code} · ${off.join(' ')} 꺼짐`
}

import { type Check, orOk } from '../check.ts'
import type { Examiner } from '../examined.ts'
import { note, source } from '../finding.ts'
import { headerOf } from '../reply.ts'

const SOURCE = source('?', '1.3')
const MAX_OFF_MS = 3_000
const ORDERS_GO_ON =
  '주문은 증권사의 시각을 따르므로 그대로 나갑니다. 증권사가 시각을 알려 주지 못할 때를 위해 서버의 시각 동기화(NTP)를 켜 주세요.'

/** The broker's clock against this machine's, by the Date of the replies. */
export const clockCheck: Check = {
  key: 'clock',
  name: '시계',
  source: SOURCE,
  async run(examiner) {
    const offsets = offsetsOf(examiner)
    const more = { fields: ['Date'], source: SOURCE }
    if (examiner.replies.length === 0) return []
    if (offsets.length === 0)
      return [note('응답에 시각(Date)이 없습니다. 디거는 실시간 연결의 시각으로 시계를 맞춥니다.', more)]
    const offset = median(offsets)
    const text = `증권사 시계와 이 서버의 시계가 ${(Math.abs(offset) / 1_000).toFixed(1)}초 차이입니다.`
    if (Math.abs(offset) <= MAX_OFF_MS) return orOk([], text, SOURCE)
    return [note(`${text} ${ORDERS_GO_ON}`, { ...more, came: `${offset} ms` })]
  },
}

/** A Date is cut to a second: half a second later on average. */
function offsetsOf({ replies, times }: Examiner): number[] {
  return replies.flatMap((reply) => {
    const date = Date.parse(headerOf(reply, 'date') ?? '')
    const came = times.get(reply)
    return Number.isNaN(date) || came === undefined ? [] : [date + 500 - came]
  })
}

const median = (values: readonly number[]): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0)

import { addDays, kstDay, tickSize, type IssueKind } from '@digger/core'
import type { KisAnnouncement } from '@digger/kis'
import { type Check, failure, orOk } from '../check.ts'
import type { Examiner } from '../examined.ts'
import { type Finding, note, source, wrong } from '../finding.ts'

const SOURCE = source('S', '3.4')
const KINDS = ['bonusIssue', 'rightsIssue', 'stockDividend', 'faceValue'] as const
/** The record day is some days after the day on which the new share is first traded. */
const AROUND_DAYS = 10

export const announcementsCheck: Check = {
  key: 'announcements',
  name: '권리락과 액면변경 예고',
  source: SOURCE,
  async run(examiner) {
    const today = kstDay(examiner.subject.now())
    const findings: Finding[] = []
    const rows: KisAnnouncement[] = []
    for (const kind of KINDS) {
      const asked = await examiner.ask((rest) =>
        rest.announcements(kind, addDays(today, -AROUND_DAYS), addDays(today, AROUND_DAYS)),
      )
      findings.push(...failure(asked, '예탁원 일정'))
      rows.push(...(asked.value?.rows ?? []))
      findings.push(...(asked.value?.unreadable ?? []).map(unreadable))
    }
    for (const action of rows.filter(({ exDay }) => exDay === today).slice(0, 2))
      findings.push(...(await exDay(examiner, action)))
    return orOk(merged(findings), `앞뒤 ${AROUND_DAYS}일의 예고 ${rows.length}건을 읽었습니다.`, SOURCE)
  },
}

/** Four lists that are not offered are one thing to say. */
const merged = (findings: readonly Finding[]): Finding[] => [
  ...new Map(findings.map((one) => [one.text, one])).values(),
]

const unreadable = (what: string): Finding =>
  wrong(`예고 한 줄을 읽지 못했습니다: ${what}. 그 종목은 가격이 갑자기 바뀌면 디거가 주문을 멈춥니다.`, {
    source: SOURCE,
  })

/** On the day itself: what base the exchange made of it, and whether the chart has followed. */
async function exDay(examiner: Examiner, { code, ratio, paid }: KisAnnouncement): Promise<Finding[]> {
  const today = kstDay(examiner.subject.now())
  const quote = (await examiner.ask((rest) => rest.quote(code))).value
  const info = (await examiner.ask((rest) => rest.stockInfo(code))).value
  const before = [addDays(today, -AROUND_DAYS), addDays(today, -1)] as const
  const original = (await examiner.ask((rest) => rest.dayCandles(code, ...before, 'original'))).value?.at(-1)
  const adjusted = (await examiner.ask((rest) => rest.dayCandles(code, ...before))).value?.at(-1)
  if (!quote || !original || !adjusted) return []
  return [
    ...rounding(code, quote.base, (original.close + paid * (ratio - 1)) / ratio, info?.kind ?? 'stock'),
    ...chart(code, original.close, adjusted.close),
  ]
}

const BASE = source('?', '7.2')

function rounding(code: string, base: number, exact: number, kind: IssueKind): Finding[] {
  const tick = tickSize(exact, kind)
  const [down, up] = [Math.floor(exact / tick) * tick, Math.ceil(exact / tick) * tick]
  const nearest = Math.round(exact / tick) * tick
  const more = { fields: ['stck_sdpr'], came: `${base}원, 계산 ${exact.toFixed(2)}원`, source: BASE }
  if (base === nearest) return []
  if (base === down || base === up)
    return [
      note(
        `${code}의 새 기준가를 가까운 호가로 맞춘다고 알고 있는데 ${base === down ? '내려' : '올려'} 맞췄습니다. 디거는 증권사의 기준가를 따릅니다.`,
        more,
      ),
    ]
  return [
    note(
      `${code}의 새 기준가가 예고된 비율과 맞지 않습니다. 디거는 이 종목의 주문을 주인이 확인할 때까지 멈춥니다.`,
      more,
    ),
  ]
}

function chart(code: string, original: number, adjusted: number): Finding[] {
  if (original !== adjusted) return []
  return [
    note(
      `${code}의 수정주가 차트가 권리락 당일에 아직 바뀌지 않았습니다. 디거는 그날의 기준가로 판단하므로 매매는 그대로입니다.`,
      {
        fields: ['stck_clpr', 'FID_ORG_ADJ_PRC'],
        source: source('?', '3.4'),
      },
    ),
  ]
}

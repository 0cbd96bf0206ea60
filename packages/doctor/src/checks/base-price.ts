import { DAY_MS, kstClock, kstDay, isTradingDay } from '@digger/core'
import { type Check, orOk } from '../check.ts'
import { type Finding, note, source } from '../finding.ts'
import type { Examiner } from '../examined.ts'

const SOURCE = source('M', '3.1')
const EIGHT = 8 * 3_600

/** From when on in the morning the broker shows the base that counts today: nobody has published it. */
export const basePriceCheck: Check = {
  key: 'basePrice',
  name: '아침의 기준가',
  source: SOURCE,
  async run(examiner) {
    const { subject, seen } = examiner
    const now = subject.now()
    if (subject.timetable.hours === 'always' || !isTradingDay(kstDay(now), subject.timetable))
      return orOk([], '오늘은 거래일이 아니라 기준가가 바뀌지 않습니다.', SOURCE)
    const { base, lastClose } = seen
    if (base === undefined || lastClose === undefined) return orOk([], '기준가를 읽지 못해 견주지 않았습니다.', SOURCE)
    const isNew = base === lastClose
    return orOk(await whenNew(examiner, isNew, kstClock(now)), '기준가가 믿는 대로 08:00부터 오늘의 것입니다.', SOURCE)
  },
}

async function whenNew({ subject, seen }: Examiner, isNew: boolean, seconds: number): Promise<Finding[]> {
  const more = { fields: ['stck_sdpr'], came: `${seen.base}, 어제 종가 ${seen.lastClose}`, source: SOURCE }
  if (seconds < EIGHT && isNew)
    return [
      note(
        '08:00 전인데 벌써 오늘의 기준가가 보입니다. 디거는 NXT가 열릴 때까지 기다리므로 매매는 그대로입니다.',
        more,
      ),
    ]
  if (seconds < EIGHT || isNew) return []
  const day = kstDay(subject.now() - DAY_MS)
  return [
    note(
      `기준가가 어제(${day}까지의) 종가와 다릅니다. 아직 어제의 기준가이거나, 권리락·액면변경이 있는 날입니다. 디거는 기준가가 바뀔 때까지 그 종목의 주문을 미룹니다.`,
      more,
    ),
  ]
}

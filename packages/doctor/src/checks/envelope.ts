import { type Check, orOk } from '../check.ts'
import { eachOnce, type Finding, note, source, wrong } from '../finding.ts'
import { callOf, codeOf, headerOf, isGood, textOf, type Reply } from '../reply.ts'

const SOURCE = source('D', '1.3')

/** What every reply has in common, over all that came in this run. */
export const envelopeCheck: Check = {
  key: 'envelope',
  name: '응답의 겉모습',
  source: SOURCE,
  async run({ replies }) {
    const text = `응답 ${replies.length}건의 머리글과 결과 코드가 문서와 같습니다.`
    return orOk(eachOnce(replies.flatMap(envelopeOf)), text, SOURCE)
  },
}

function envelopeOf(reply: Reply): Finding[] {
  const name = callOf(reply)
  if (reply.body === null) {
    const text = `${name}: 응답이 JSON이 아닙니다(HTTP ${reply.status}). 증권사가 점검 중일 수 있으니 잠시 뒤 다시 점검해 주세요.`
    return [wrong(text, { source: source('D', '8.2 #30') })]
  }
  if (!isGood(reply)) return [...outerOf(reply, name), ...refusal(reply, name)]
  return [...outerOf(reply, name), ...success(reply, name), ...(PAGED.has(name) ? pageOf(reply, name) : [])]
}

/** Around what was asked for: nothing else is in any document. */
const OUTER = /^(rt_cd|msg_cd|msg1|message|output[12]?|ctx_area_[fn]k(100)?)$/
/** Success; then failures of gateway, input, "no data" and the socket. */
const RT_CODES: ReadonlySet<string> = new Set(['0', '1', '2', '7', '9'])

function outerOf({ body }: Reply, name: string): Finding[] {
  const found: Finding[] = []
  const odd = Object.keys(body ?? {}).filter((key) => !OUTER.test(key))
  if (odd.length > 0)
    found.push(
      note(`${name}: 응답의 겉에 문서에 없는 값이 있습니다: ${odd.join(', ')}. 디거는 읽지 않습니다.`, {
        fields: odd,
        source: SOURCE,
      }),
    )
  for (const field of ['msg_cd', 'msg1'])
    if (typeof body?.[field] !== 'string')
      found.push(
        note(`${name}: ${field}가 없거나 글자가 아닙니다. 거절된 까닭을 알 수 없게 됩니다.`, {
          fields: [field],
          source: SOURCE,
        }),
      )
  const rtCd = body?.['rt_cd']
  if (typeof rtCd !== 'string' || !RT_CODES.has(rtCd.trim())) {
    const text = `${name}: 성공인지 알리는 rt_cd를 읽을 수 없습니다. 디거는 이런 응답을 실패로 봅니다.`
    found.push(wrong(text, { fields: ['rt_cd'], came: JSON.stringify(rtCd) ?? '없음', source: SOURCE }))
  }
  return found
}

/** Codes of success: quotations, account queries, the last page, "nothing there", and paper's. */
const SUCCESS = /^(MCA00000|KIOK0(5\d\d|4[236]0)|20310000)$/

function success(reply: Reply, name: string): Finding[] {
  const code = codeOf(reply)
  const came = headerOf(reply, 'tr_id')
  return [
    ...(SUCCESS.test(code)
      ? []
      : [
          note(
            `${name}: 문서에 없는 결과 코드 ${code || '(없음)'}로 성공했습니다. 디거는 rt_cd로 판단하므로 매매는 그대로입니다.`,
            {
              fields: ['msg_cd'],
              came: code,
              source: SOURCE,
            },
          ),
        ]),
    ...(came === reply.trId
      ? []
      : [
          note(`${name}: 머리글의 tr_id가 물은 것(${reply.trId})과 다릅니다. 디거는 읽지 않습니다.`, {
            fields: ['tr_id'],
            came: came ?? '없음',
            source: SOURCE,
          }),
        ]),
  ]
}

const PAGING = source('D', '1.5')

/** Calls that answer in pages: there only the header says that there is more. */
const PAGED: ReadonlySet<string> = new Set([
  'inquire-balance',
  'inquire-daily-ccld',
  'inquire-psbl-rvsecncl',
  'inquire-period-profit',
  'inquire-period-trade-profit',
])

function pageOf(reply: Reply, name: string): Finding[] {
  const cont = headerOf(reply, 'tr_cont')
  const found: Finding[] = []
  if (cont === null || !['', 'F', 'M', 'D', 'E'].includes(cont.trim())) {
    const text = `${name}: 다음 쪽이 있는지 알리는 머리글 tr_cont를 읽을 수 없습니다. 목록이 끊겨도 알 수 없으니 자동매매를 시작하지 마세요.`
    found.push(wrong(text, { fields: ['tr_cont'], came: cont ?? '없음', source: PAGING }))
  }
  for (const field of ['ctx_area_fk100', 'ctx_area_nk100'])
    if (typeof reply.body?.[field] !== 'string')
      found.push(
        note(`${name}: 다음 쪽을 묻는 열쇠 ${field}가 없거나 글자가 아닙니다. 쪽이 하나면 매매는 그대로입니다.`, {
          fields: [field],
          source: PAGING,
        }),
      )
  return found
}

/** Refusals that are part of asking: days that are not listed together, a list that changed, a call that is not there. */
const EXPECTED: ReadonlySet<string> = new Set(['KIER2570', 'SYDB0050', 'EGW02006', 'OPSQ0002'])
const PACE: Readonly<Record<string, string>> = {
  EGW00201:
    '초당 호출 수를 넘었다고 거절했습니다. 디거의 속도(실전 초당 10회, 모의 1.2초에 1회)에서도 거절된다면 신규 고객 제한(초당 3회)일 수 있습니다.',
  EGW00215: '원장이 붐빈다고 거절했습니다. 디거는 계좌 조회를 1초에 하나로 줄이고 다시 묻습니다.',
}

function refusal(reply: Reply, name: string): Finding[] {
  const code = codeOf(reply)
  if (EXPECTED.has(code)) return []
  const pace = PACE[code]
  if (pace !== undefined)
    return [note(`${name}: ${pace}`, { fields: ['msg_cd'], came: code, source: source('D', '1.8') })]
  const text = `${name}: 증권사가 거절했습니다. [${code || '코드 없음'}] ${textOf(reply.body?.['msg1'])}`
  return [note(text, { fields: ['rt_cd', 'msg_cd'], came: code, source: source('D', '1.6') })]
}

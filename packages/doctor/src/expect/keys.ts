import { AUTH_PATHS, type KeyReply } from '@digger/kis'
import type { Timed } from '../examined.ts'
import { eachOnce, type Finding, note, source, wrong } from '../finding.ts'
import type { Row } from '../reply.ts'

/** What one field of a reply that brings a key is believed to be. No value that is no harmless one ever comes here. */
interface KeyField {
  readonly isAsBelieved: (value: unknown) => boolean
  readonly believed: string
  /** What another value means for trading; of a field without which there is no key it is grave. */
  readonly means: string
  readonly level: 'wrong' | 'note'
}

interface KeyTable {
  readonly name: string
  readonly source: ReturnType<typeof source>
  readonly fields: Readonly<Record<string, KeyField>>
}

const DAY_S = 86_400
const CLOCK = /^(20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])) ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)$/
const GOES_ON = '디거는 24시간 쓸 수 있다고 보고, 먼저 끊기면 다시 받으므로 매매는 그대로입니다.'

/** `YYYY-MM-DD HH:MM:SS` in Korea → epoch ms; NaN where it is none. */
function instantOf(value: unknown): number {
  const [, day, time] = (typeof value === 'string' ? CLOCK.exec(value) : null) ?? []
  return day === undefined ? Number.NaN : Date.parse(`${day}T${time}+09:00`)
}

const key: KeyField = {
  isAsBelieved: (value) => typeof value === 'string' && value !== '',
  believed: '비어 있지 않은 글자',
  means: '디거가 이 키를 읽지 못합니다. 왜 그런지 알기 전에는 자동매매를 시작하지 마세요.',
  level: 'wrong',
}

const TOKEN: KeyTable = {
  name: '접근 토큰',
  source: source('D', '2.1'),
  fields: {
    access_token: key,
    token_type: {
      isAsBelieved: (value) => value === 'Bearer',
      believed: 'Bearer',
      means: '디거는 늘 Bearer로 적어 보냅니다. 조회가 되면 매매는 그대로입니다.',
      level: 'note',
    },
    expires_in: {
      isAsBelieved: (value) => typeof value === 'number' && value > 0 && value <= DAY_S,
      believed: `1~${DAY_S}인 수(초)`,
      means: GOES_ON,
      level: 'note',
    },
    access_token_token_expired: {
      isAsBelieved: (value) => !Number.isNaN(instantOf(value)),
      believed: 'YYYY-MM-DD HH:MM:SS 시각',
      means: GOES_ON,
      level: 'note',
    },
  },
}

const APPROVAL: KeyTable = { name: '실시간 접속키', source: source('D', '2.3'), fields: { approval_key: key } }

const TABLES: Readonly<Record<string, KeyTable>> = { [AUTH_PATHS.token]: TOKEN, [AUTH_PATHS.approval]: APPROVAL }

/** How the replies are written that brought a key; each difference once. What was refused is told by whoever asked. */
export function judgeKeys(replies: readonly Timed<KeyReply>[]): Finding[] {
  const found = replies.flatMap(({ reply: { path, status, body }, at }) => {
    const table = TABLES[path]
    if (table === undefined || status !== 200) return []
    if (body === null) return [wrong(`${table.name} 응답이 JSON이 아닙니다. ${key.means}`, { source: table.source })]
    return [
      ...Object.entries(table.fields).flatMap(([name, field]) => judgeField(table, name, field, body)),
      ...unexpected(table, body),
      ...(table === TOKEN ? twoEnds(body, at) : []),
    ]
  })
  return eachOnce(found)
}

function judgeField(table: KeyTable, name: string, field: KeyField, body: Row): Finding[] {
  const value = body[name]
  if (field.isAsBelieved(value)) return []
  const what =
    value === undefined ? `응답에 ${name}이(가) 없습니다.` : `응답의 ${name}이(가) 믿던 것과 다르게 왔습니다.`
  const came = value === undefined ? '없음' : JSON.stringify(value)
  const more = { fields: [name], believed: field.believed, came, source: table.source }
  return [{ level: field.level, text: `${table.name} ${what} ${field.means}`, ...more }]
}

function unexpected({ name, source, fields }: KeyTable, body: Row): Finding[] {
  const odd = Object.keys(body).filter((field) => !(field in fields))
  if (odd.length === 0) return []
  const text = `${name} 응답에 문서에 없는 값이 있습니다: ${odd.join(', ')}. 디거는 읽지 않습니다.`
  return [note(text, { fields: odd, source })]
}

/** Both say when the token ends; by so much they may differ, ms. */
const TOLERANCE_MS = 600_000

/** A value that is not written as believed is named already. */
function twoEnds({ expires_in: seconds, access_token_token_expired: clock }: Row, at: number): Finding[] {
  const off = instantOf(clock) - at - Number(seconds) * 1_000
  if (TOKEN.fields['expires_in']?.isAsBelieved(seconds) !== true || Number.isNaN(off) || Math.abs(off) <= TOLERANCE_MS)
    return []
  const minutes = Math.round(Math.abs(off) / 60_000)
  return [
    note(
      `접근 토큰이 끝나는 때를 두 값이 ${minutes}분 다르게 말합니다. 디거는 이른 쪽을 따르고, 지난 시각이면 남은 초를 따릅니다.`,
      {
        fields: ['expires_in', 'access_token_token_expired'],
        came: `${String(seconds)}, ${String(clock)}`,
        source: TOKEN.source,
      },
    ),
  ]
}

import { type Finding, note, ok, source, wrong } from './finding.ts'
import { codeOf, type Reply } from './reply.ts'
import type { Examiner, Readings } from './examined.ts'

const SOURCE = source('D', '1.8')
const TOO_MANY = 'EGW00201'
const LEDGER_BUSY = 'EGW00215'

/** Quotes asked for together: what a new customer may not, what Digger does at most, and one above what is allowed. */
const STEPS = { real: [4, 10, 19], paper: [2] } as const
/** Over so long the broker's count is of other calls again. */
const PAUSE_MS = 1_500

/**
 * How many calls a second the broker takes, by small bursts of quotes that end at the first refusal; and whether two questions about
 * the account follow each other. For a connection that nobody trades with: bursts cost the key's calls for a second.
 * `ask` must not space its calls by itself.
 */
export async function measureSpeed(examiner: Examiner, pause: (ms: number) => Promise<void>): Promise<Finding[]> {
  const { code, rest } = examiner.subject
  for (const count of STEPS[rest.env]) {
    const replies = await burst(examiner, count, (one) => one.quote(code))
    if (replies.some((reply) => codeOf(reply) === TOO_MANY))
      return [refusedAt(count, rest.env), ...(await ledger(examiner, pause))]
    await pause(PAUSE_MS)
  }
  const most = Math.max(...STEPS[rest.env])
  return [
    note(
      `1초에 ${most}번 물어도 거절하지 않았습니다. 알려진 제한(실전 18회, 모의 1회)보다 느슨합니다. 디거는 그대로 천천히 묻습니다.`,
      { source: SOURCE },
    ),
    ...(await ledger(examiner, pause)),
  ]
}

async function burst(
  examiner: Examiner,
  count: number,
  question: (rest: Readings) => Promise<unknown>,
): Promise<readonly Reply[]> {
  const asked = await Promise.all(Array.from({ length: count }, () => examiner.ask(question)))
  return asked.flatMap(({ replies }) => replies)
}

function refusedAt(count: number, env: 'real' | 'paper'): Finding {
  const more = { fields: ['msg_cd'], came: TOO_MANY, source: SOURCE }
  if (env === 'paper') return ok('모의투자는 알려진 대로 1초에 한 번만 받습니다.', more)
  if (count > 18) return ok('1초에 18번까지 받는다고 알려진 대로 19번째에 거절했습니다.', more)
  const text = `1초에 ${count}번 물었더니 거절했습니다. 새로 신청한 계좌는 사흘 동안 초당 3회입니다.`
  return wrong(`${text} 서버의 KIS_CALLS_PER_SECOND를 2로 두고 다시 시작해 주세요.`, more)
}

async function ledger(examiner: Examiner, pause: (ms: number) => Promise<void>): Promise<Finding[]> {
  await pause(PAUSE_MS)
  const { code } = examiner.subject
  const replies = await burst(examiner, 2, (rest) => rest.buyable(code))
  if (!replies.some((reply) => codeOf(reply) === LEDGER_BUSY))
    return [ok('계좌 조회 두 번을 잇달아 받았습니다.', { source: source('M', '1.8') })]
  const text = '계좌 조회 두 번을 잇달아 받지 않습니다. 디거는 언제나 1초에 하나씩 물으므로 매매는 그대로입니다.'
  return [note(text, { fields: ['msg_cd'], came: LEDGER_BUSY, source: source('M', '1.8') })]
}

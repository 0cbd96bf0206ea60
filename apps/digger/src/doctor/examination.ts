import { setTimeout as pause } from 'node:timers/promises'
import { isAnyTraded, knownTimetable, type Timetable } from '@digger/core'
import { createKis, type KisEnv, type RateLimits, type StoredToken, UNLIMITED } from '@digger/kis'
import { OperatorError } from '@digger/database'
import {
  type Checked,
  examine,
  Examiner,
  examineSocket,
  examineToken,
  type Finding,
  measureSpeed,
  notTried,
  type Report,
  type Subject,
} from '@digger/doctor'
import type { Keys } from './keys.ts'
import { isQuiet } from './quiet.ts'

export interface Wanted {
  readonly env: KisEnv
  readonly restUrl: string
  readonly wsUrl: string
  readonly keys: Keys
  readonly code: string
  readonly hours: Timetable['hours']
  /** May ask for a new token, of which the broker sends the person a message. */
  readonly token: boolean
  /** May ask faster than Digger does, and while exchanges are open. */
  readonly limits: boolean
  /** Connects in real time for so many ms a channel; 0: not, for a server may have the key. */
  readonly listenMs: number
  readonly now: () => number
  /** How far apart it asks, where not as a real account may. */
  readonly pace?: Partial<RateLimits>
  readonly say: (line: string) => void
}

export interface Examination {
  readonly report: Report
  readonly examiner: Examiner
}

const NO_TOKEN = `쓸 수 있는 접근 토큰이 없어 아무것도 물을 수 없습니다. --token을 붙이면 새로 받습니다.
새로 받으면 증권사가 알림톡을 보내고, 같은 키로 서버가 돌고 있다면 그 서버의 토큰이 끊길 수 있습니다(디거는 스스로 바꿉니다).
서버가 돌고 있다면 웹의 "연결 점검"이 그 연결로 점검합니다.`

/** Reads, and never orders: of the client only what reads is given on, and from inside a check nothing else leaves. */
export async function runExamination(wanted: Wanted): Promise<Examination> {
  const { keys, now, say, token, limits, listenMs } = wanted
  const stored = await keys.load()
  if (stored === null && !token) throw new OperatorError(NO_TOKEN)
  if (token) say('접근 토큰을 새로 받습니다. 증권사의 알림톡이 갑니다.')
  const client = connect(wanted, wanted.pace ?? {}, () => keys.load())
  const examiner = new Examiner(subjectOf(wanted, client.rest))
  try {
    const more: Checked[] = [{ key: 'token', name: '접근 토큰', findings: await tokenFindings(wanted, stored) }]
    const report = await examine(examiner, ({ running, done, total }) => {
      if (running !== null) say(`(${done + 1}/${total}) ${running}`)
    })
    if (limits || isQuiet(now())) more.push({ key: 'speed', name: '호출 속도', findings: await speedFindings(wanted) })
    else more.push({ key: 'speed', name: '호출 속도', findings: [LATER] })
    more.push({
      key: 'socket',
      name: '실시간 연결',
      findings: listenMs === 0 ? [NO_SOCKET] : await socketFindings(wanted, client),
    })
    return { report: { ...report, checks: [...report.checks, ...more] }, examiner }
  } finally {
    await client.socket.close()
    await client.rest.close()
  }
}

const NOT_ISSUED = notTried(
  '가지고 있던 토큰으로 점검했고 새로 받지 않았습니다. 새로 받을 때 옛 토큰이 끊기는지 보려면 서버를 쉬게 하고 --token을 붙여 주세요.',
)
const NO_OLDER = notTried(
  '가지고 있던 토큰이 없어, 새로 받을 때 옛 토큰이 끊기는지 보지 못했습니다. 환경변수의 키는 토큰을 남기지 않고, 방금 받은 토큰은 6시간 안에 다시 달라고 해도 같습니다. 토큰이 남아 있는 사용자를 --user로 골라 점검해 주세요.',
)
const LATER = notTried('07:30~20:00에는 재지 않습니다. 서버가 쉬고 있다면 --limits를 붙여 주세요.')
const NO_SOCKET = notTried(
  '증권사는 앱키 하나에 실시간 연결 하나만 줍니다. 이 키로 도는 서버가 없다면 --socket을 붙여 주세요.',
)

type Client = ReturnType<typeof createKis>

function connect(wanted: Wanted, limits: Partial<RateLimits>, load: () => Promise<StoredToken | null>): Client {
  const { env, restUrl, wsUrl, keys, now } = wanted
  return createKis({
    env,
    restUrl,
    wsUrl,
    credentials: keys.credentials,
    now,
    limits,
    // One that is kept is used to its end, for a new one is a message to the person.
    tokenTimes: { renewBeforeMs: 0 },
    tokens: { load, save: (_id, token) => keys.save(token) },
  })
}

const subjectOf = ({ now, code, hours }: Wanted, rest: Client['rest']): Subject => ({
  rest,
  now,
  wall: Date.now,
  timetable: knownTimetable(hours),
  code,
})

/** What becomes of the token that was kept when another one is had; asks for one only where that was asked for. */
export async function tokenFindings(wanted: Wanted, stored: StoredToken | null): Promise<readonly Finding[]> {
  if (!wanted.token) return [NOT_ISSUED]
  if (stored === null) return [NO_OLDER]
  const [older, newer] = [connect(wanted, {}, async () => stored), connect(wanted, {}, async () => null)]
  const isSame = async (): Promise<boolean> => (await wanted.keys.load())?.token === stored.token
  try {
    return await examineToken(
      new Examiner(subjectOf(wanted, older.rest)),
      new Examiner(subjectOf(wanted, newer.rest)),
      isSame,
    )
  } finally {
    await Promise.all([older, newer].map(({ rest }) => rest.close()))
  }
}

/** By a client that does not space its calls. */
async function speedFindings(wanted: Wanted): Promise<readonly Finding[]> {
  const client = connect(wanted, { ...UNLIMITED, queryConnections: 8 }, () => wanted.keys.load())
  try {
    return await measureSpeed(new Examiner(subjectOf(wanted, client.rest)), (ms) => pause(ms))
  } finally {
    await client.rest.close()
  }
}

/** A connection needs no longer in good moments; on paper some seconds more. */
const CONNECT_MS = 15_000

const socketFindings = ({ code, env, listenMs, now, hours }: Wanted, { socket }: Client): Promise<Finding[]> =>
  examineSocket(socket, {
    code,
    markets: env === 'paper' ? ['KRX'] : ['KRX', 'NXT', 'UN'],
    listenMs,
    connectMs: CONNECT_MS,
    now,
    pause: (ms) => pause(ms),
    isTraded: isAnyTraded(now(), knownTimetable(hours)),
  })

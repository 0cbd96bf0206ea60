import { inspect, type KeyReply, type KisSocket, type MarketOf, NoticeKeyError, type Tick } from '@digger/kis'
import { errorOf, type Timed } from './examined.ts'
import { judgeKeys } from './expect/keys.ts'
import { type Finding, note, notTried, ok, source, wrong } from './finding.ts'

const CONNECTING = source('D', '5.2')
const TICKS = source('M', '5.6')

export interface Listening {
  readonly code: string
  /** Channels to be tried one after the other: of paper KRX's alone. */
  readonly markets: readonly MarketOf[]
  /** How long each is listened to, ms. */
  readonly listenMs: number
  /** How long the connection may take, ms. */
  readonly connectMs: number
  /** The market's time, epoch ms. */
  readonly now: () => number
  /** Resolves after so many ms. */
  readonly pause: (ms: number) => Promise<void>
  /** Whether a trade is to be expected now. */
  readonly isTraded: boolean
}

/**
 * Connects, which asks for an approval key and registers the notices of the HTS ID, then listens to each channel. For a key that no
 * running server has: the broker gives a key one connection.
 */
export async function examineSocket(socket: KisSocket, listening: Listening): Promise<Finding[]> {
  const ticks: Tick[] = []
  const problems: string[] = []
  socket.observe({
    tickReceived: (tick) => void ticks.push(tick),
    problemFound: (error) => void problems.push(error.message),
  })
  const late = listening.pause(listening.connectMs).then(() => new Error('응답이 없습니다.'))
  const keys: Timed<KeyReply>[] = []
  const inspector = {
    replyReceived: () => undefined,
    keyReceived: (reply: KeyReply) => void keys.push({ reply, at: listening.now() }),
  }
  const connected = inspect(inspector, () => socket.connect()).then(() => null, errorOf)
  const failure = await Promise.race([connected, late])
  if (failure !== null) return [notConnected(failure), ...judgeKeys(keys)]
  const found = [
    ok('실시간 접속키를 받아 연결했고, 체결 통보를 등록해 통보를 여는 키를 받았습니다.', { source: CONNECTING }),
  ]
  for (const market of listening.markets) found.push(...(await channel(socket, listening, market, ticks)))
  found.push(...judgeKeys(keys))
  if (problems.length > 0)
    found.push(wrong(`실시간에서 읽지 못한 것이 ${problems.length}건 있습니다: ${problems[0]}`, { source: TICKS }))
  return found
}

const notConnected = (failure: Error): Finding =>
  failure instanceof NoticeKeyError
    ? wrong(
        '체결 통보를 등록했지만 통보를 여는 키(iv, key)가 오지 않았거나 쓸 수 없는 꼴입니다. 통보를 하나도 읽을 수 없어 디거는 등록되지 않은 것으로 보고 자동 주문을 멈춥니다. 계속되면 증권사에 물어봐 주세요.',
        { fields: ['iv', 'key'], believed: '32자 key와 16자 iv', source: CONNECTING },
      )
    : wrong(`실시간에 연결하지 못했습니다: ${failure.message} 앱키와 HTS ID를 확인해 주세요.`, { source: CONNECTING })

const NAMES = { KRX: 'KRX', NXT: 'NXT', UN: '통합' } as const

async function channel(
  socket: KisSocket,
  { code, listenMs, pause, isTraded }: Listening,
  market: MarketOf,
  ticks: Tick[],
): Promise<Finding[]> {
  ticks.length = 0
  socket.watch([code], () => market)
  await pause(listenMs)
  const name = `${NAMES[market]} 체결가`
  const trades = ticks.filter(({ trade }) => trade)
  if (!socket.watched.has(code))
    return [wrong(`${name}: 등록되지 않았습니다. 이 시장의 값은 조회로만 따라갑니다.`, { source: CONNECTING })]
  if (trades.length === 0 && !isTraded)
    return [notTried(`${name}: 등록되었지만 지금은 장이 닫혀 체결이 오지 않습니다. 장중에 다시 점검해 주세요.`)]
  if (trades.length === 0)
    return [
      note(
        `${name}: 등록되었지만 ${listenMs / 1_000}초 동안 체결이 오지 않았습니다. NXT에서 거래되지 않는 종목이면 통합 채널은 조용합니다.`,
        { source: source('R', '5.5') },
      ),
    ]
  return [ok(`${name}: ${trades.length}건을 읽었습니다.`, { source: TICKS }), ...later(trades, name)]
}

/** By what a trade shows that it is later than another: its time, or the day's volume. */
function later(trades: readonly Tick[], name: string): Finding[] {
  const pairs = trades.slice(1).map((tick, at) => [trades[at], tick] as const)
  const differs = (of: (tick: Tick) => number): boolean => pairs.some(([a, b]) => a !== undefined && of(a) !== of(b))
  if (pairs.length === 0) return []
  if (!differs(({ volume }) => volume))
    return [
      note(`${name}: 누적 거래량이 그대로입니다. 디거는 시각이나 거래량 어느 하나만 움직여도 새 체결로 봅니다.`, {
        fields: ['ACML_VOL'],
        source: source('?', '5.6'),
      }),
    ]
  if (!differs(({ time }) => time) && pairs.length >= 2)
    return [
      note(`${name}: 체결 시각이 그대로입니다. 디거는 시각이나 거래량 어느 하나만 움직여도 새 체결로 봅니다.`, {
        fields: ['STCK_CNTG_HOUR'],
        source: source('?', '5.6'),
      }),
    ]
  return []
}

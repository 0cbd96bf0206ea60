import { databaseHost } from '@digger/database'
import { KIS_HOSTS } from '@digger/kis'
import { isLoopback } from './addresses.ts'

/** The variables that decide who may read along. */
export interface Exposed {
  readonly DIGGER_ROLE: 'all' | 'worker' | 'gateway'
  readonly KIS_ENV: 'sim' | 'paper' | 'real'
  readonly HOST: string
  readonly TLS_PROXY: 'yes' | 'no'
  readonly PRIVATE_NETWORK: 'yes' | 'no'
  readonly PUBLIC_URL: readonly string[]
  readonly SECOND_FACTOR?: 'required' | 'offered' | undefined
  readonly KIS_REST_URL?: string | undefined
  readonly KIS_WS_URL?: string | undefined
  readonly DATABASE_URL?: string | undefined
  readonly NATS_URL?: string | undefined
  readonly WORKER_PUBLIC_KEY?: string | undefined
}

const OWN_SOCKETS = new Set<string>([KIS_HOSTS.real.ws, KIS_HOSTS.paper.ws].map((url) => new URL(url).host))

/** Where passwords, keys or orders would travel in the clear, what to do about it; null where nothing would. */
export function refusalOf(config: Exposed): string | null {
  const { KIS_ENV, HOST, TLS_PROXY, PUBLIC_URL, KIS_REST_URL, KIS_WS_URL } = config
  if (KIS_ENV === 'sim') return null
  if (!isLoopback(HOST) && TLS_PROXY === 'no') {
    return (
      `HOST=${HOST}: KIS_ENV=${KIS_ENV}에서는 비밀번호와 증권사 키가 암호화되지 않은 채 오갈 수 있어 열지 않습니다. ` +
      'HOST=127.0.0.1로 두고 HTTPS 프록시를 앞에 세우거나, 이미 앞에 있으면 TLS_PROXY=yes를 적어 주세요.'
    )
  }
  const plain = PUBLIC_URL.find((url) => url.startsWith('http:') && !isLocal(url))
  if (plain !== undefined)
    return `PUBLIC_URL=${plain}: KIS_ENV=${KIS_ENV}에서는 비밀번호가 암호화되지 않은 채 오갑니다. https:// 주소를 적어 주세요.`
  if (KIS_REST_URL?.startsWith('http:') && !isLocal(KIS_REST_URL))
    return `KIS_REST_URL=${KIS_REST_URL}: KIS_ENV=${KIS_ENV}에서는 appSecret이 암호화되지 않은 채 나갑니다. https:// 주소를 적어 주세요.`
  if (KIS_WS_URL?.startsWith('ws:') && !isLocal(KIS_WS_URL) && !isOwnSocket(KIS_WS_URL)) {
    return (
      `KIS_WS_URL=${KIS_WS_URL}: KIS_ENV=${KIS_ENV}에서 암호화되지 않은 ws://는 증권사 자신의 주소(${KIS_HOSTS[KIS_ENV].ws})만 씁니다. ` +
      'wss:// 주소를 적거나 이 변수를 지워 주세요.'
    )
  }
  return config.PRIVATE_NETWORK === 'yes' ? null : betweenMachines(config)
}

/** What goes from one of several processes to another machine in the clear. */
function betweenMachines({ DIGGER_ROLE, KIS_ENV, NATS_URL, DATABASE_URL }: Exposed): string | null {
  if (NATS_URL?.split(',').some((one) => one.startsWith('nats:') && !isLocal(one)))
    return `NATS_URL: KIS_ENV=${KIS_ENV}에서는 서버끼리 주고받는 요청이 암호화되지 않은 채 다른 컴퓨터로 나갑니다. tls:// 주소를 적어 주세요. ${OR_PRIVATE}`
  if (DIGGER_ROLE !== 'all' && isElsewhere(DATABASE_URL) && !DEMANDS_TLS.has(sslMode(DATABASE_URL)))
    return `DATABASE_URL: KIS_ENV=${KIS_ENV}에서는 기록과 데이터베이스 비밀번호가 암호화되지 않은 채 다른 컴퓨터로 나갑니다. 주소 끝에 ?sslmode=verify-full을 붙여 주세요. ${OR_PRIVATE}`
  return null
}

/** `prefer` takes a connection without TLS, too. */
const DEMANDS_TLS: ReadonlySet<string | undefined> = new Set(['require', 'verify-ca', 'verify-full'])
const OR_PRIVATE = '아무도 엿들을 수 없는 사설망이면 PRIVATE_NETWORK=yes를 적어 주세요.'

/** What can be run but should not stay so, one line each. */
export function warningsOf(config: Exposed): string[] {
  const { DIGGER_ROLE, KIS_ENV, HOST, TLS_PROXY, DATABASE_URL, WORKER_PUBLIC_KEY, SECOND_FACTOR } = config
  const lines: string[] = []
  if (KIS_ENV === 'sim' && !isLoopback(HOST) && TLS_PROXY === 'no')
    lines.push(
      `주의: HOST=${HOST}라서 다른 컴퓨터에서 넣는 비밀번호가 암호화되지 않은 채 옵니다. 앞에 HTTPS 프록시를 세워 주세요.`,
    )
  if (isElsewhere(DATABASE_URL) && sslMode(DATABASE_URL) !== 'verify-full')
    lines.push(
      '주의: DATABASE_URL이 다른 컴퓨터인데 sslmode=verify-full이 없습니다. 누가 엿듣거나 가로챌 수 있으니 주소 끝에 ?sslmode=verify-full을 붙여 주세요.',
    )
  if (DIGGER_ROLE === 'gateway' && KIS_ENV !== 'sim' && WORKER_PUBLIC_KEY === undefined)
    lines.push(
      '주의: WORKER_PUBLIC_KEY가 없어, 다른 게이트웨이를 빼앗은 사람이 워커인 척하며 로그인을 받을 수 있습니다. 워커에서 npm run admin -- worker-public-key 비밀파일을 해 나온 값을 적어 주세요.',
    )
  if (KIS_ENV === 'real' && SECOND_FACTOR === 'offered')
    lines.push(
      '주의: SECOND_FACTOR=offered라서 비밀번호 하나만 새어도 진짜 돈으로 주문할 수 있습니다. 이 변수를 지우거나 SECOND_FACTOR=required로 적어 주세요.',
    )
  return lines
}

const isLocal = (address: string): boolean => URL.canParse(address) && isLoopback(new URL(address).hostname)

/** A folder is that of a socket file of this machine. Of several hosts `pg` makes one name, which is not known to be here. */
function isElsewhere(databaseUrl: string | undefined): databaseUrl is string {
  if (databaseUrl === undefined) return false
  const host = databaseHost(databaseUrl) ?? ''
  return !host.startsWith('/') && (host.includes(',') || !isLoopback(host))
}

/** Of several the last one counts, as for `pg`. */
const sslMode = (databaseUrl: string): string | undefined =>
  new URLSearchParams(/^[^?#]*\?([^#]*)/.exec(databaseUrl)?.[1]).getAll('sslmode').at(-1)

const isOwnSocket = (address: string): boolean => URL.canParse(address) && OWN_SOCKETS.has(new URL(address).host)

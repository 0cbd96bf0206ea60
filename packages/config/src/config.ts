import { existsSync } from 'node:fs'
import { z } from 'zod'
import { OperatorError } from '@digger/database'
import { clusterRefusalOf } from './config-role.ts'
import { refusalOf } from './exposure.ts'
import { isWithin } from './relying-party.ts'

/** A bad environment variable; the message is one line for the person who runs the server. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError'
}

const port = (by: number) =>
  z.coerce.number('0–65535 사이의 정수').int('0–65535 사이의 정수').min(0, '0–65535').max(65_535, '0–65535').default(by)
const oneOf = <T extends string>(...words: [T, ...T[]]) => z.enum(words, words.join(' | '))
const url = (pattern: RegExp, form: string) => z.string().regex(pattern, form).optional()
const file = z.string().refine(existsSync, '있는 파일의 경로').optional()
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )

/** Scheme, host and port, as a browser names where a page comes from. */
const origins = list.pipe(
  z.array(
    z
      .string()
      .regex(/^https?:\/\/[^/@\s]+$/, 'http(s)://주소[:포트], 쉼표로 구분')
      .transform(asOrigin),
  ),
)

/** The broker's own limits since 2026-04-20 (its notice, quoted by third parties). */
const MAX_CALLS = { real: 18, paper: 1 } as const
/** At less than this, orders grow too old before it is their turn. */
const MIN_CALLS = { real: 2, paper: 0.5 } as const
const DAYS = '1–3650 사이의 정수(일)'
const CALLS = '2–18 사이의 수(모의투자는 0.5–1)'

const Environment = z.object({
  /** `all`: one process does everything. Of several, a `worker` trades its share of the accounts, and a `gateway` serves people. */
  DIGGER_ROLE: oneOf('all', 'worker', 'gateway').default('all'),
  /** Where several processes talk to each other; several addresses of one cluster are separated by commas. */
  NATS_URL: url(/^(nats|tls):\/\/[^\s,]+(,(nats|tls):\/\/[^\s,]+)*$/, 'nats:// 또는 tls://사용자:비밀번호@주소:포트'),
  /** Who has signed the NATS servers' certificates, where that is nobody the system trusts. */
  NATS_CA_FILE: file,
  /** 32 random bytes that every worker and gateway has, as in MASTER_KEY_FILE. */
  CLUSTER_SECRET_FILE: file,
  /** The same of workers alone: whoever lacks it is given no user's key. */
  WORKER_SECRET_FILE: file,
  /** The public half of WORKER_SECRET_FILE, for gateways: passwords go to no worker that has not that secret. */
  WORKER_PUBLIC_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'admin worker-public-key가 보여 주는 43글자')
    .optional(),
  /** Where a worker answers /health and /metrics, on this machine only; without it, nowhere. */
  HEALTH_PORT: z.coerce
    .number('1–65535 사이의 정수')
    .int('1–65535 사이의 정수')
    .min(1, '1–65535')
    .max(65_535, '1–65535')
    .optional(),
  HOST: z.string().min(1, '주소').default('127.0.0.1'),
  PORT: port(8081),
  DATA_DIR: z.string().min(1, '폴더 경로').default('./data'),
  DATABASE_URL: url(/^postgres(ql)?:\/\/.+/, 'postgres://사용자:비밀번호@주소:포트/이름'),
  KIS_ENV: oneOf('sim', 'paper', 'real').default('sim'),
  /** 1: nothing of any account is sent, whatever its own switches say. */
  SHADOW: oneOf('0', '1').default('0'),
  KIS_REST_URL: url(/^https?:\/\/.+/, 'http:// 또는 https:// 주소'),
  KIS_WS_URL: url(/^wss?:\/\/.+/, 'ws:// 또는 wss:// 주소'),
  /** What the broker lets one app key call; absent: well below what it lets most. */
  KIS_CALLS_PER_SECOND: z.coerce.number(CALLS).min(MIN_CALLS.paper, CALLS).max(MAX_CALLS.real, CALLS).optional(),
  MASTER_KEY_FILE: file,
  /** Where a backup is put each day; without it none is taken by itself. */
  BACKUP_DIR: z.string().min(1, '폴더 경로').optional(),
  /** Older backups there are removed. */
  BACKUP_KEEP_DAYS: z.coerce.number(DAYS).int(DAYS).min(1, DAYS).max(3_650, DAYS).default(14),
  /** Under which people open Digger, where that is a name: others than these, localhost and bare addresses are refused. */
  PUBLIC_URL: origins,
  /** The domain that passkeys are bound to; without it the first of PUBLIC_URL. Passkeys of another one open nothing. */
  RP_ID: z
    .string()
    .regex(/^[a-z\d.-]+$/, '소문자로 적은 도메인')
    .optional(),
  /** Whether everybody has to show more than a password; without it, with real money. */
  SECOND_FACTOR: oneOf('required', 'offered').optional(),
  /** Whether something that speaks HTTPS to people stands before this server; asked where HOST lets others in. */
  TLS_PROXY: oneOf('yes', 'no').default('no'),
  /** Between the machines of several processes: whether NATS and PostgreSQL may be spoken to without TLS. */
  PRIVATE_NETWORK: oneOf('yes', 'no').default('no'),
  /** Browser origins besides our own that may call, as the development server's. */
  ALLOWED_ORIGINS: origins,
  /** Whose X-Forwarded-For is believed: an address, a network, or `loopback`. */
  TRUST_PROXY: z.string().min(1, '주소, 대역 또는 loopback').default('loopback'),
  /** The operator's mail server, `smtps://user:password@host`, and whom mail is from. */
  SMTP_URL: url(/^smtps?:\/\/.+/, 'smtps://사용자:비밀번호@주소'),
  MAIL_FROM: z.string().includes('@', '보내는 이메일 주소').optional(),
  /** Token of the operator's Telegram bot. */
  TELEGRAM_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]{20,}$/, 'BotFather가 준 토큰')
    .optional(),
  /** Hosts, addresses and networks that people's webhooks may reach although they are not public, separated by commas. */
  WEBHOOK_TARGETS: list,
  /** By which addresses of people's channels are sealed; made at the first start. Default: notification.key in DATA_DIR. */
  NOTIFICATION_KEY_FILE: z.string().min(1, '파일의 경로').optional(),
  /** Asked once a minute while an exchange is open and the server is well: whoever is asked raises the alarm when it stops. */
  HEARTBEAT_URL: url(/^https?:\/\/.+/, 'http:// 또는 https:// 주소'),
  SIM_PORT: port(18_443),
  SIM_SEED: z.coerce.number('정수').int('정수').default(1),
  SIM_SPEED: z.coerce.number('0보다 큰 배속').positive('0보다 큰 배속').max(100_000, '100000 이하').default(1),
  SIM_REPLAY: file,
  SIM_HOURS: oneOf('always', 'krx').default('always'),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
})

export type Config = z.output<typeof Environment>

/** The names of all variables that the server reads. */
export const VARIABLES: readonly string[] = Object.keys(Environment.shape)

/** Reads every variable of the server. An empty one counts as not given. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const read = Environment.safeParse(given)
  if (!read.success) {
    const [issue] = read.error.issues
    const name = String(issue?.path[0])
    throw new ConfigError(`${name}=${shown(name, given[name])} 값을 쓸 수 없습니다. 쓸 수 있는 값: ${issue?.message}`)
  }
  const { KIS_ENV, DATABASE_URL, KIS_REST_URL, KIS_WS_URL } = read.data
  if (KIS_ENV === 'sim' && (KIS_REST_URL === undefined) !== (KIS_WS_URL === undefined)) {
    throw new ConfigError('KIS_ENV=sim에서 따로 켠 모의 거래소를 쓰려면 KIS_REST_URL과 KIS_WS_URL을 함께 적어 주세요.')
  }
  if (KIS_ENV === 'real' && DATABASE_URL === undefined) {
    throw new ConfigError(
      'KIS_ENV=real(실전)에는 DATABASE_URL이 필요합니다. 실제 돈은 내장 데이터베이스가 아니라 PostgreSQL에만 기록합니다.',
    )
  }
  const { KIS_CALLS_PER_SECOND } = read.data
  const wire = KIS_ENV === 'paper' ? 'paper' : 'real'
  if (
    KIS_CALLS_PER_SECOND !== undefined &&
    (KIS_CALLS_PER_SECOND > MAX_CALLS[wire] || KIS_CALLS_PER_SECOND < MIN_CALLS[wire])
  )
    throw new ConfigError(`KIS_CALLS_PER_SECOND=${KIS_CALLS_PER_SECOND} 값을 쓸 수 없습니다. 쓸 수 있는 값: ${CALLS}`)
  const { RP_ID, PUBLIC_URL } = read.data
  if (RP_ID !== undefined && !PUBLIC_URL.some((url) => isWithin(new URL(url).hostname, RP_ID)))
    throw new ConfigError(`RP_ID=${RP_ID}: PUBLIC_URL의 도메인이거나 그 윗도메인이어야 합니다.`)
  if (read.data.SMTP_URL !== undefined && read.data.MAIL_FROM === undefined)
    throw new ConfigError('SMTP_URL에는 MAIL_FROM이 필요합니다. 보내는 이메일 주소를 적어 주세요.')
  const refusal = clusterRefusalOf(read.data) ?? refusalOf(read.data)
  if (refusal !== null) throw new ConfigError(refusal)
  return read.data
}

/** For start-up files: one line and exit status 1 instead of a stack. */
export function configOrExit(env: Readonly<Record<string, string | undefined>>): Config {
  try {
    return readConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    return process.exit(1)
  }
}

/** As a browser writes it: small letters, no port that goes without saying. */
function asOrigin(text: string): string {
  return URL.canParse(text) ? new URL(text).origin : text
}

/** An address of a database or of NATS may hold a password; and for a public key somebody may take the secret. */
const HIDDEN: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'NATS_URL',
  'WORKER_PUBLIC_KEY',
  'SMTP_URL',
  'TELEGRAM_TOKEN',
  // Whoever has it could beat in our place.
  'HEARTBEAT_URL',
])

/** A variable's value as a message or a screen may say it. */
export const shown = (name: string, value: string | undefined): string =>
  HIDDEN.has(name) ? '(숨김)' : (value ?? '(없음)')

/** Whether everybody has to have a second factor before they may do more than set one up, and stop. */
export const isFactorRequired = ({
  KIS_ENV,
  SECOND_FACTOR = KIS_ENV === 'real' ? 'required' : 'offered',
}: Pick<Config, 'KIS_ENV'> & { readonly SECOND_FACTOR?: Config['SECOND_FACTOR'] }): boolean =>
  SECOND_FACTOR === 'required'

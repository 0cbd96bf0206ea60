import { randomBytes } from 'node:crypto'
import {
  type Database,
  type Db,
  dumpTo,
  FolderInUseError,
  loadFrom,
  openDatabase,
  OperatorError,
  realClock,
} from '@digger/database'
import { type Config, readConfig } from '@digger/config'
import { forgetSecrets, WorkerSecret } from '@digger/cluster'
import {
  writeAudit,
  endAccess,
  findUserByEmail,
  listUsers,
  setAdmin,
  setPasswordHash,
  makeMasterKey,
  readMasterKey,
  Passwords,
  dropAdminKey,
  dropFactors,
  rotateMaster,
  Vault,
} from '@digger/identity'
import { endWithMessage } from '../report.ts'
import { runSetup, SETUP_USAGE, type Terminal } from '../setup/run-setup.ts'
import { CALENDAR_USAGE, runCalendar } from './calendar.ts'

const USAGE = `쓰는 법: npm run admin -- 명령
${SETUP_USAGE}
  list                     사용자 목록
  grant 이메일             관리자로 만든다
  revoke 이메일            관리자에서 뺀다
  reset-password 이메일    새 비밀번호를 만들어 보여 준다
  reset-factor 이메일      두 번째 인증을 모두 없앤다(패스키와 휴대폰을 모두 잃은 사람)
  make-master 새파일       새 마스터 키를 만든다(본인만 읽는 파일)
  rotate-master 새파일     마스터 키를 새 파일의 것으로 바꾼다(지금 것은 MASTER_KEY_FILE)
  forget-secrets           여러 대의 비밀 파일을 바꿀 때, 모두 끈 뒤 옛 표시를 지운다
  worker-public-key 파일   게이트웨이의 WORKER_PUBLIC_KEY에 적을 값(파일은 WORKER_SECRET_FILE)
  dump 새파일              기록을 모두 파일 하나에 옮겨 적는다(다른 PostgreSQL 판으로 옮길 때)
  load 파일                dump로 만든 파일을 빈 데이터베이스에 옮겨 넣는다
${CALENDAR_USAGE}`

/** A password that was read out to somebody is to be replaced by their own soon. */
const TEMPORARY_MS = 24 * 3_600_000

/** A command that cannot be done; the message is for the operator. */
export class AdminError extends OperatorError {
  override readonly name = 'AdminError'
}

export interface AdminParts {
  readonly db: Db
  readonly config: Pick<Config, 'MASTER_KEY_FILE'>
  readonly passwords: Passwords
  readonly clock: { now(): number; after: typeof realClock.after }
}

/** One command of the operator, done on the database itself. Returns what to print. */
export async function runAdmin(parts: AdminParts, [command, ...words]: readonly string[]): Promise<string> {
  const [subject] = words
  if (command === 'list') return list(parts.db)
  if (command === 'forget-secrets') return forgetSecrets(parts.db)
  if (command === 'calendar') return runCalendar(parts, words)
  if (subject === undefined) throw new AdminError(USAGE)
  switch (command) {
    case 'grant':
      return grant(parts, subject, true)
    case 'revoke':
      return grant(parts, subject, false)
    case 'reset-password':
      return resetPassword(parts, subject)
    case 'reset-factor':
      return resetFactor(parts, subject)
    case 'rotate-master':
      return replaceMaster(parts, subject)
    case 'worker-public-key':
      return WorkerSecret.read(subject).signer.publicKey
    case 'make-master':
      return makeMaster(subject)
    default:
      throw new AdminError(USAGE)
  }
}

async function list(db: Db): Promise<string> {
  const users = await listUsers(db)
  const lines = users.map(
    ({ id, email, digger_admin, account_masked }) =>
      `${id}  ${email}  계좌 ${account_masked}${digger_admin ? '  관리자' : ''}`,
  )
  return lines.length === 0 ? '사용자가 없습니다.' : lines.join('\n')
}

async function grant({ db, clock }: AdminParts, email: string, admin: boolean): Promise<string> {
  const user = await findUserByEmail(db, email)
  if (!user) throw noUser(email)
  await db.transaction().execute(async (trx) => {
    await setAdmin(trx, email, admin)
    if (!admin) await dropAdminKey(trx, user.id)
  })
  await audit(db, clock.now(), email, admin ? '관리자로 지정' : '관리자에서 해제')
  return admin
    ? `${email}을 관리자로 만들었습니다. 다시 로그인하면 다른 사용자의 키를 열 수 있게 됩니다.`
    : `${email}을 관리자에서 뺐습니다. 이 사람이 열 수 있던 키는 지웠고, 그 사용자들의 키는 다음 로그인 때 새로 만듭니다.`
}

/** The old password wrapped the user's key. Without it the key opens by the master key, or once by an administrator. */
async function resetPassword({ db, config, passwords, clock }: AdminParts, email: string): Promise<string> {
  const user = await findUserByEmail(db, email)
  if (!user) throw noUser(email)
  const password = randomBytes(16).toString('base64url')
  const vault = new Vault({ db, clock, passwords, master: readMasterKey(config.MASTER_KEY_FILE) })
  const passwordHash = await passwords.hash(password)
  const renewal = await vault.renew(user.id, null, password)
  await db.transaction().execute(async (trx) => {
    await setPasswordHash(trx, user.id, passwordHash, clock.now() + TEMPORARY_MS)
    await renewal.store(trx)
    await endAccess(trx, user.id)
  })
  await audit(db, clock.now(), email, '비밀번호 재설정')
  return `${email}의 새 비밀번호: ${password}\n24시간 동안만 열립니다. 로그인하면 바로 바꾸라고 알려 줍니다.`
}

/** The way back for who has lost everything: the operator has made sure who it is. */
async function resetFactor({ db, clock }: AdminParts, email: string): Promise<string> {
  const user = await findUserByEmail(db, email)
  if (!user) throw noUser(email)
  if (!(await dropFactors(db, user.id))) return `${email}에게는 두 번째 인증이 없습니다.`
  await audit(db, clock.now(), email, '두 번째 인증 없앰')
  return `${email}의 패스키와 인증 앱, 복구 코드를 모두 없앴습니다. 이제 비밀번호만으로 로그인합니다. 로그인하면 곧바로 새로 더하게 하세요.`
}

async function replaceMaster({ db, config, clock }: AdminParts, newFile: string): Promise<string> {
  const [oldMaster, newMaster] = [readMasterKey(config.MASTER_KEY_FILE), readMasterKey(newFile)]
  if (!oldMaster || !newMaster) throw new AdminError('MASTER_KEY_FILE에 지금의 마스터 키가 있어야 합니다.')
  const rotation = { from: oldMaster, to: newMaster, at: clock.now() }
  const count = await db.transaction().execute((trx) => rotateMaster(trx, rotation))
  return `${count}명의 키를 새 마스터 키로 다시 감쌌습니다. MASTER_KEY_FILE=${newFile}로 바꿔 서버를 곧바로 다시 켜세요.
켜 둔 서버는 옛 키만 압니다. 그동안 가입하거나 키가 바뀐 사람은 다시 켠 뒤 한 번 로그인해야 합니다.
전에 만든 백업은 여전히 옛 마스터 키로 열립니다. 백업을 쓸 동안은 옛 파일을 따로 안전하게 두고, 키가 샜다면 옛 백업도 지우세요.`
}

function makeMaster(file: string): string {
  makeMasterKey(file)
  return `${file}에 새 마스터 키를 만들었습니다. 데이터와 다른 곳에 두고, 따로 복사해 두세요. 잃으면 되살릴 수 없습니다.`
}

async function audit(db: Db, at: number, email: string, action: string): Promise<void> {
  const user = await findUserByEmail(db, email)
  if (user) await writeAudit(db, { at, user_id: user.id, by_email: '운영자', action, detail: '' })
}

const noUser = (email: string): AdminError => new AdminError(`그런 이메일의 사용자가 없습니다: ${email}`)

/** What the operator says in these words, with these variables around them. */
export async function admin(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): Promise<void> {
  const [command, file] = words
  if (command === 'setup') return runSetup(words.slice(1), terminal)
  const config = readConfig(env)
  const print = (text: string): void => void terminal.output.write(`${text}\n`)
  if (command === 'load' && file !== undefined) return print(await load(config, file))
  const database = await open(config)
  try {
    if (command === 'dump' && file !== undefined) return print(await dump(database, file))
    print(await runAdmin({ db: database.db, config, passwords: new Passwords(), clock: realClock }, words))
  } finally {
    await database.close()
  }
}

async function dump({ pool }: Database, file: string): Promise<string> {
  const rows = await dumpTo(pool, file)
  return `기록 ${rows}건을 ${file}에 옮겨 적었습니다. 다른 곳에 넣으려면 npm run admin -- load ${file}`
}

async function load(config: Config, file: string): Promise<string> {
  const { rows, header } = await withAdvice(config, loadFrom({ ...placeOf(config), exclusive: true }, file))
  return `기록 ${rows}건을 옮겨 넣었습니다(Digger ${header.version}, PostgreSQL ${header.postgres}에서). npm run verify로 장부를 확인한 뒤 켜 주세요.`
}

const placeOf = ({ DATABASE_URL, DATA_DIR }: Config) => ({
  databaseUrl: DATABASE_URL,
  dataDir: DATA_DIR,
  exclusive: false,
  lockWaitMs: 0,
})

const open = (config: Config): Promise<Database> => withAdvice(config, openDatabase(placeOf(config)))

/** The embedded database lets one process in: the server has to be off meanwhile. PostgreSQL needs nothing of the kind. */
async function withAdvice<T>({ DATABASE_URL }: Config, opening: Promise<T>): Promise<T> {
  try {
    return await opening
  } catch (error) {
    if (DATABASE_URL !== undefined || !(error instanceof FolderInUseError)) throw error
    const advice = '내장 데이터베이스는 한 번에 하나만 열 수 있으니, 서버를 끈 뒤 이 명령을 하고 다시 켜 주세요.'
    throw new AdminError(`${error.message}\n${advice}`, { cause: error })
  }
}

if (import.meta.main) {
  // What it makes is for its own user alone.
  process.umask(0o077)
  admin(process.argv.slice(2), process.env, { input: process.stdin, output: process.stdout }).catch(endWithMessage)
}

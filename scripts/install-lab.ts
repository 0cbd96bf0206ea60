import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir, userInfo } from 'node:os'
import { basename, join } from 'node:path'
import { ROOT } from './sources.ts'

/** The release's Node of the lab: its commands write down that they ran, and fail where a file `NAME-bad-RELEASE` says so. */
const RELEASE_NODE = `#!/bin/bash
release=$(basename "$(pwd -P)")
echo "$2 $release" >>"$LAB/log"
if [ -e "$LAB/slow-$2" ]; then sleep 3; fi
if [ -e "$LAB/$2-bad-$release" ]; then echo "$2: 안 됩니다"; exit 1; fi
case $2 in
  backup)
    folder=$4/digger-$(date +%s%N)
    mkdir -p "$folder" && cp "$LAB/database.json" "$folder/manifest.json"
    ;;
  verify) if [ -e "$LAB/migrates-$release" ]; then sed -i 's/\\["a"\\]/["a","b"]/' "$LAB/database.json"; fi ;;
  restore) cp "$4/manifest.json" "$LAB/database.json" && mkdir -p "$LAB/data/database" ;;
  show) echo "DATABASE_URL=\${DATABASE_URL:-} STRAY=\${STRAY:-} HOME=$HOME" ;;
esac
`
const SCRIPTS = { backup: '-', verify: '-', restore: '-', show: '-' }

interface Ended {
  readonly code: number
  readonly output: string
}

/** An installation in a folder of its own: the real scripts move between small releases, and files stand for the service and the database. */
export class Lab {
  readonly home = mkdtempSync(join(tmpdir(), 'digger-lab-'))
  readonly names: readonly string[]
  /** What the server of a release answers; none: nobody answers. */
  readonly answers = new Map<string, number>()
  readonly #server: Server
  readonly #commits: readonly string[]

  static async open(): Promise<Lab> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new Lab(server)
  }

  private constructor(server: Server) {
    this.#server = server
    server.on('request', (_, reply) => {
      const code = this.isRunning() ? this.answers.get(this.link('current')) : undefined
      if (code === undefined) reply.destroy()
      else reply.writeHead(code).end()
    })
    for (const folder of ['opt/node/bin', 'opt/releases', 'bin', 'data/database', 'backups', 'source/install'])
      mkdirSync(join(this.home, folder), { recursive: true })
    symlinkSync(process.execPath, join(this.home, 'opt/node/bin/node'))
    cpSync(join(ROOT, 'install'), join(this.home, 'opt/install'), { recursive: true })
    this.#program('bin/stop', 'echo stop >>"$LAB/log"; rm -f "$LAB/running"')
    this.#program(
      'bin/start',
      'echo "start $(basename "$(readlink "$LAB/opt/current")")" >>"$LAB/log"; touch "$LAB/running"',
    )
    this.#program('bin/active', 'if [ -e "$LAB/running" ]; then echo active; else echo inactive; exit 3; fi')
    this.#program('bin/id', 'if [ "$1" = -u ]; then echo 0; else exec /usr/bin/id "$@"; fi')
    this.variables('')
    this.#commits = ['1', '2', '3'].map((title) => this.#commit(title))
    this.names = this.#commits.map((commit) => `0.1.0-${commit.slice(0, 8)}`)
    for (const name of this.names) this.#release(name)
    this.git('config', '--file', join(this.home, 'opt/source.config'), 'digger.source', join(this.home, 'source'))
    this.git('remote', 'add', 'origin', join(this.home, 'source'))
    this.point('current', this.name(1))
    this.rows(['a'], 3)
    this.mark('running')
    for (const name of this.names) this.answers.set(name, 200)
  }

  /** Which release runs, by its number; 0: none. */
  state = () => ({
    current: this.names.indexOf(this.link('current')) + 1,
    previous: this.names.indexOf(this.link('previous')) + 1,
    running: this.isRunning(),
  })
  name = (number: number): string => this.names[number - 1] ?? ''
  commit = (number: number): string => this.#commits[number - 1] ?? ''
  path = (file: string): string => join(this.home, file)
  isRunning = (): boolean => existsSync(this.path('running'))
  mark = (file: string): void => writeFileSync(this.path(file), '')
  unmark = (file: string): void => rmSync(this.path(file), { force: true })
  log = (): string[] => (existsSync(this.path('log')) ? readFileSync(this.path('log'), 'utf8').trim().split('\n') : [])
  database = (): { migrations: string[]; tables: { rows: number }[] } =>
    JSON.parse(readFileSync(this.path('database.json'), 'utf8'))
  rows = (migrations: string[], rows: number): void =>
    writeFileSync(
      this.path('database.json'),
      JSON.stringify({ takenAt: 0, migrations, tables: [{ name: 'fact', rows, sha256: String(rows) }] }),
    )

  /** The environment file, beside what each has. */
  variables(more: string): void {
    const address = this.#server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    writeFileSync(this.path('digger.env'), `DATA_DIR=${this.path('data')}\nPORT=${port}\n${more}`)
  }

  /** Release `number` has migrations of its own, and its first `verify` brings them into the database. */
  migrates(number: number): void {
    this.mark(`migrates-${this.name(number)}`)
    writeFileSync(this.path(`opt/releases/${this.name(number)}/packages/database/src/migrations/2.ts`), '')
  }

  point(link: string, name: string): void {
    rmSync(this.path(`opt/${link}`), { force: true })
    symlinkSync(`releases/${name}`, this.path(`opt/${link}`))
  }

  link(link: string): string {
    try {
      return basename(execFileSync('readlink', [this.path(`opt/${link}`)], { encoding: 'utf8' }).trim())
    } catch {
      return ''
    }
  }

  remembered(): string {
    return this.git('config', '--default', '', '--file', this.path('opt/source.config'), 'digger.backup')
  }

  git(...args: readonly string[]): string {
    const who = ['-c', 'user.name=lab', '-c', 'user.email=lab@example.com']
    return execFileSync('git', ['-C', this.path('source'), ...who, ...args], { encoding: 'utf8' }).trim()
  }

  env(): Record<string, string> {
    return {
      PATH: `${this.path('bin')}:${process.env['PATH'] ?? ''}`,
      LAB: this.home,
      DIGGER_PREFIX: this.path('opt'),
      DIGGER_ENV_FILE: this.path('digger.env'),
      DIGGER_STATE: this.home,
      DIGGER_BACKUPS: this.path('backups'),
      DIGGER_USER: userInfo().username,
      DIGGER_BIN: this.path('bin'),
      DIGGER_UNITS: this.path('no-units'),
      DIGGER_STOP: this.path('bin/stop'),
      DIGGER_START: this.path('bin/start'),
      DIGGER_ACTIVE: this.path('bin/active'),
      DIGGER_TIMEOUT_S: '2',
      STRAY: 'of the caller',
    }
  }

  /** `digger WORDS…`; `report` is called with its process id as soon as it runs. */
  digger(words: readonly string[], report: (pid: number) => void = () => undefined): Promise<Ended> {
    return new Promise((resolve) => {
      const [tool = '', ...more] = words
      const script = ['upgrade', 'rollback'].includes(tool) ? [`${tool}.sh`, ...more] : ['digger', ...words]
      const [file = '', ...args] = script
      const run = execFile(
        'bash',
        [this.path(`opt/install/${file}`), ...args],
        { env: this.env() },
        (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${out}${err}` }),
      )
      report(run.pid ?? 0)
    })
  }
  upgrade = (number: number, report?: (pid: number) => void): Promise<Ended> =>
    this.digger(['upgrade', this.commit(number)], report)
  rollback = (...words: readonly string[]): Promise<Ended> => this.digger(['rollback', ...words])

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    rmSync(this.home, { recursive: true, force: true })
  }

  #program(path: string, line: string): void {
    writeFileSync(this.path(path), `#!/bin/bash\nLAB=${this.home}\n${line}\n`)
    chmodSync(this.path(path), 0o755)
  }

  #commit(title: string): string {
    if (!existsSync(this.path('source/.git'))) {
      this.git('init', '--quiet')
      const scripts = JSON.stringify({ name: 'lab', version: '0.1.0', scripts: SCRIPTS }, null, 2)
      writeFileSync(this.path('source/package.json'), scripts)
      cpSync(join(ROOT, 'install'), this.path('source/install'), { recursive: true })
    }
    this.git('add', '.')
    this.git('commit', '--quiet', '--allow-empty', '-m', title)
    return this.git('rev-parse', 'HEAD')
  }

  place(number: number): void {
    this.#release(this.name(number))
  }

  #release(name: string): void {
    const folder = `opt/releases/${name}`
    mkdirSync(this.path(`${folder}/node_modules/.bin`), { recursive: true })
    mkdirSync(this.path(`${folder}/packages/database/src/migrations`), { recursive: true })
    writeFileSync(this.path(`${folder}/packages/database/src/migrations/1.ts`), '')
    cpSync(this.path('source/package.json'), this.path(`${folder}/package.json`))
    cpSync(join(ROOT, 'install'), this.path(`${folder}/install`), { recursive: true })
    writeFileSync(this.path(`${folder}/node_modules/.bin/node`), RELEASE_NODE.replace('\n', `\nLAB=${this.home}\n`))
    chmodSync(this.path(`${folder}/node_modules/.bin/node`), 0o755)
  }
}

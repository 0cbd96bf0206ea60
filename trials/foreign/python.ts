import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { z } from 'zod'
import type { Customer } from './market.ts'
import type { CallReport } from './outcome.ts'

export interface PythonClient {
  readonly name: string
  /** Where its sources lie in the folder of clients. */
  readonly folder: string
  /** The folder of its sources that Python looks into, and the package that must be in it. */
  readonly path: string
  readonly packageName: string
  readonly driver: string
  /** What it imports besides itself; a choice is written `a|b`. */
  readonly modules: readonly string[]
  readonly repository: string
}

export const PYTHON_CLIENTS: readonly PythonClient[] = [
  {
    name: 'python-kis',
    folder: 'python-kis',
    path: '.',
    packageName: 'pykis',
    driver: 'python_kis.py',
    modules: ['requests', 'websocket', 'cryptography', 'colorlog', 'typing_extensions'],
    repository: 'Soju06/python-kis',
  },
  {
    name: 'mojito',
    folder: 'mojito',
    path: '.',
    packageName: 'mojito',
    driver: 'mojito_kis.py',
    modules: ['requests', 'pandas', 'websockets', 'Crypto|Cryptodome'],
    repository: 'sharebook-kr/mojito',
  },
  {
    name: 'pykis',
    folder: 'pykis',
    path: 'src',
    packageName: 'pykis',
    driver: 'pjueon_kis.py',
    modules: ['requests', 'pandas'],
    repository: 'pjueon/pykis',
  },
]

/** The first interpreter that has these modules, or what the first one there is lacks. */
export function findPython(
  candidates: readonly string[],
  modules: readonly string[],
): { python: string } | { lacks: string } {
  let lacks = `no ${candidates.join(' or ')}`
  for (const python of candidates) {
    const missing = missingModules(python, modules)
    if (missing === null) continue
    if (missing === '') return { python }
    lacks = `${python} lacks ${missing}`
  }
  return { lacks }
}

/** Null: there is no such interpreter. */
function missingModules(python: string, modules: readonly string[]): string | null {
  const test =
    'import sys, importlib.util as u\nprint(" ".join(m for m in sys.argv[1:] if not any(u.find_spec(n) for n in m.split("|"))))'
  const { status, stdout } = spawnSync(python, ['-c', test, ...modules], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/** Where the broker is, and whose keys a driver gets. */
export interface Setup extends Customer {
  readonly url: string
  readonly wsUrl: string
}

const Line = z.object({ call: z.string(), ok: z.boolean(), detail: z.string() })
const LIMIT_MS = 240_000

/** Runs a driver to its end. What it has reported counts, and a driver that breaks off is one more call that failed. */
export async function drive(
  client: PythonClient,
  clients: string,
  python: string,
  setup: Setup,
): Promise<CallReport[]> {
  const home = mkdtempSync(join(tmpdir(), 'foreign-'))
  try {
    const drivers = join(import.meta.dirname, 'drivers')
    const child = spawn(python, ['-B', join(drivers, client.driver)], {
      cwd: home,
      env: {
        PATH: process.env['PATH'] ?? '',
        // Clients store tokens in the home folder.
        HOME: home,
        PYTHONPATH: [drivers, join(clients, client.folder, client.path)].join(delimiter),
        PYTHONIOENCODING: 'utf-8',
        // Clients ask for minutes up to the present hour of the machine.
        TZ: 'Asia/Seoul',
        FOREIGN_SETUP: JSON.stringify(setup),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
    let [out, err] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => void (out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => void (err += text))
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    clearTimeout(limit)
    const reports = out
      .split('\n')
      .flatMap((line) => (line.startsWith('{"call"') ? [Line.parse(JSON.parse(line))] : []))
    if (code === 0) return reports
    const last = err.trim().split('\n').at(-1) ?? ''
    return [...reports, { call: 'the driver', ok: false, detail: `ended with ${code ?? 'a signal'}: ${last}` }]
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

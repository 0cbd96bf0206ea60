/** `npm run prove -- foreign --clients DIR`: public clients of the broker and its own collections against a pretend KIS. */
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Sim } from '@digger/kis-sim'
import { notRun } from '../../scripts/not-run.ts'
import { KNOWN } from './known.ts'
import { customer, startMarket } from './market.ts'
import { judged, summary, table, type Outcome } from './outcome.ts'
import { readCollection } from './postman.ts'
import { drive, findPython, PYTHON_CLIENTS } from './python.ts'
import { PAPER, REAL, replayCollection } from './replay-postman.ts'

const USAGE = `usage: npm run prove -- foreign --clients DIR [--python PATH] [--all]
  DIR, or FOREIGN_CLIENTS in the environment, holds a checkout of each client under its own name: ${PYTHON_CLIENTS.map(({ folder, repository }) => `${folder} (GitHub ${repository})`).join(', ')},
  open-trading-api (GitHub koreainvestment/open-trading-api, for legacy/postman). Python needs: apt-get install python3-requests
  python3-websocket python3-websockets python3-cryptography python3-pycryptodome python3-colorlog python3-typing-extensions python3-pandas`

interface Run {
  readonly sim: Sim
  readonly clients: string
  readonly absent: string[]
}

async function pythonClients({ sim, clients, absent }: Run, pythons: readonly string[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const [n, client] of PYTHON_CLIENTS.entries()) {
    if (!existsSync(join(clients, client.folder, client.path, client.packageName))) {
      absent.push(`${client.name}: no ${join(clients, client.folder)}`)
      continue
    }
    const found = findPython(pythons, client.modules)
    if ('lacks' in found) {
      absent.push(`${client.name}: ${found.lacks}`)
      continue
    }
    const reports = await drive(client, clients, found.python, { url: sim.url, wsUrl: sim.wsUrl, ...customer(n) })
    outcomes.push(...reports.map((one) => judged(client.name, one, KNOWN)))
  }
  return outcomes
}

async function collections({ sim, clients, absent }: Run): Promise<Outcome[]> {
  const files = globSync(join(clients, 'open-trading-api/legacy/postman/*샘플코드*.json')).sort()
  if (files.length === 0) absent.push(`Postman: no collections in ${join(clients, 'open-trading-api/legacy/postman')}`)
  const outcomes: Outcome[] = []
  for (const file of files) {
    const collection = readCollection(file)
    const onPaper = collection.name.startsWith('모의')
    const keys = (n: number) => (onPaper ? customer(n).paper : customer(n).real)
    outcomes.push(
      ...(await replayCollection(collection, {
        client: onPaper ? 'Postman, paper' : 'Postman, real',
        url: sim.url,
        environment: onPaper ? PAPER : REAL,
        owners: { stocks: keys(5), futures: keys(6) },
      })),
    )
  }
  return outcomes
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { clients: { type: 'string' }, python: { type: 'string' }, all: { type: 'boolean', default: false } },
  })
  const clients = values.clients ?? process.env['FOREIGN_CLIENTS']
  if (clients === undefined || !existsSync(clients)) {
    process.stdout.write(`${USAGE}\n`)
    return notRun(`no folder of clients${clients === undefined ? '' : ` at ${clients}`}`)
  }
  const absent: string[] = []
  const { sim, close } = await startMarket()
  try {
    const run = { sim, clients, absent }
    const pythons = values.python === undefined ? ['python3', '/usr/bin/python3'] : [values.python]
    const outcomes = [...(await pythonClients(run, pythons)), ...(await collections(run))]
    const shown = values.all ? outcomes : outcomes.filter(({ verdict }) => verdict !== 'not imitated')
    process.stdout.write(`${table(shown)}\n\n${summary(outcomes)}\n`)
    if (absent.length > 0) process.stdout.write(`${USAGE}\n`)
    if (outcomes.some(({ verdict }) => verdict === 'FAILS')) process.exitCode = 1
    else if (absent.length > 0) notRun(absent.join('; '))
  } finally {
    await close()
  }
}

await main()

/** `npm run prove -- replay FILE.csv[.gz]|made-up [--codes a,b|all] [--days N] [--seed N] [--steps N] [--settings buy=-2,…] [--shadow cautious|through|touch]` */
import { parseArgs } from 'node:util'
import { choose, chooseAll, type Choice } from './choice.ts'
import type { FillRule } from '@digger/shadow'
import { recordOf } from './generated.ts'
import { differencesOf } from './rehearsal.ts'
import { replay } from './replay.ts'
import { faultsOf, report } from './report.ts'
import { actionsOf, readNewShare, settleMoves, withNewShares } from './new-share.ts'
import { DEFAULT_SETTINGS, readSettings } from './settings.ts'

const CASH_WON = 10_000_000_000
const USAGE = `usage: npm run prove -- replay FILE.csv[.gz]|made-up [--codes 005930,000660 | --codes all] [--days N] [--seed N] [--steps N] [--new-share CODE:DAY:RATIO[:CREDITDAY]] [--shadow cautious|through|touch] [--settings ${Object.entries(
  DEFAULT_SETTINGS,
)
  .map(([name, value]) => `${name}=${value === false ? 'no' : value}`)
  .join(',')}]`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      codes: { type: 'string' },
      days: { type: 'string' },
      seed: { type: 'string', default: '1' },
      steps: { type: 'string', default: '120' },
      settings: { type: 'string', default: '' },
      shadow: { type: 'string' },
      'new-share': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return print(USAGE)
  const [file] = positionals
  if (file === undefined) throw new Error(USAGE)
  const settings = readSettings(values.settings)
  const maxDays = values.days === undefined ? Infinity : count('--days', values.days)
  const seed = count('--seed', values.seed)
  const record = recordOf(file, seed)
  const parts =
    values.codes === 'all' ? chooseAll(record, maxDays) : [choose(record, maxDays, values.codes?.split(',') ?? null)]
  const shadow = values.shadow === undefined ? null : ruleOf(values.shadow)
  const shares = values['new-share'].map(readNewShare)
  const plan = {
    settings,
    seed,
    steps: count('--steps', values.steps),
    cash: CASH_WON,
    happenings: actionsOf(shares),
    owner: settleMoves('adjust', (line) => print(`  its owner adjusts ${line}`)),
  }
  print(
    `every stock: first buy at once, then ${settings.buy} % below the last one; sell ${settings.average ? 'all at the average' : 'each'} +${settings.sell} %; ` +
      `${settings.unit} won a buy, at most ${settings.cap} won, never above ${settings.ceiling} % of its first price\n`,
  )
  let differing = 0
  for (const [n, part] of parts.entries()) {
    print(
      `${file}: part ${n + 1} of ${parts.length}, ${part.codes.length} stocks, ${part.days.length} days, seed ${plan.seed}`,
    )
    const choice = { ...part, candles: withNewShares(part.candles, shares) }
    if (!(await (shadow === null ? run(choice, plan) : runBoth(choice, plan, shadow)))) differing += 1
  }
  if (parts.length > 1) print(`\n${parts.length} parts, ${differing} with differences`)
  if (differing > 0) process.exitCode = 1
}

type Plan = Omit<Parameters<typeof replay>[0], 'candles'>

const onDay = (day: string, ticks: number): void => void process.stderr.write(`  ${day}  ${ticks} prices\n`)

/** Whether book, broker and journal agreed at the end of a part, and every stock traded on. */
async function run({ candles }: Choice, plan: Plan): Promise<boolean> {
  const result = await replay({ ...plan, candles, onDay })
  print(report(result))
  return faultsOf(result).length === 0
}

/** The same days in earnest and in the shadow: whether the exchange saw none of the latter's orders, and none differs before a fill does. */
async function runBoth({ candles }: Choice, plan: Plan, rule: FillRule): Promise<boolean> {
  const real = await replay({ ...plan, candles, onDay })
  const shadow = await replay({ ...plan, candles, onDay, shadow: rule })
  const sent = shadow.truth.events.filter(({ kind }) => kind === 'accepted').length
  print(
    `in earnest ${real.book.orders.length} orders, in the shadow (${rule}) ${shadow.rehearsal.length}; at the exchange ${sent}`,
  )
  const found = differencesOf({ real, shadow })
  for (const { code, text } of found) print(`  ${code}: ${text}`)
  const isExplained = found.every(({ orderAt, fillAt }) => orderAt === null || (fillAt !== null && fillAt <= orderAt))
  print(isExplained ? 'no order differs before a fill that does' : 'AN ORDER DIFFERS BEFORE ANY FILL')
  return sent === 0 && isExplained
}

function ruleOf(text: string): FillRule {
  if (text === 'cautious' || text === 'through' || text === 'touch') return text
  throw new Error(`--shadow ${text}: cautious, through or touch`)
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

function count(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) throw new Error(`${name} ${text}: a whole number from 1 on`)
  return number
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})

/**
 * `npm run prove -- bench [-- name …] [--goals] [--rounds N]`: every cell in a process of its own, one after the other, then all figures with their
 * goals. Absolute times are this machine's; only the ratios mean something elsewhere. Fails where a cell breaks: it compares
 * what it measured with what had to come out. A goal that was not reached fails with `--goals` alone, for a busy machine
 * misses some.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { NOT_RUN, notRun } from '../scripts/not-run.ts'

const CELLS = [
  'decode',
  'backtest',
  'step',
  'board',
  'list',
  'push',
  'reconnect',
  'order',
  'intents',
  'accounts',
  'page',
  'jobs',
  'cluster',
  'cluster-push',
  'cluster-scale',
  'overload',
] as const
/** `P10 label   12.3 [11.0–14.0]   goal ≤ 20` */
const LINE = /^([CP]\d+\b.*?) +([\d.]+|NaN) \[.*?\] +goal ([≥≤]) ([\d.]+)/

interface Figure {
  readonly line: string
  /** Null for a figure without a goal. */
  readonly reached: boolean | null
}

function judged(line: string): Figure | null {
  const found = LINE.exec(line)
  if (found === null) return /^[CP]\d+\b/.test(line) ? { line, reached: null } : null
  const [measured, goal] = [Number(found[2]), Number(found[4])]
  return { line, reached: found[3] === '≥' ? measured >= goal : measured <= goal }
}

interface Cell {
  readonly figures: readonly Figure[]
  readonly end: 'measured' | 'not run' | 'broken'
}

async function run(name: string): Promise<Cell> {
  const began = performance.now()
  console.log(`\n=== ${name}`)
  const child = spawn(process.execPath, [new URL(`${name}.ts`, import.meta.url).pathname], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(values.rounds !== undefined && { env: { ...process.env, BENCH_ROUNDS: values.rounds } }),
  })
  const figures: Figure[] = []
  const ended = once(child, 'close')
  for await (const line of createInterface({ input: child.stdout })) {
    const figure = judged(line)
    if (figure !== null) figures.push(figure)
    console.log(figure?.reached === false ? `${line}   SHORT` : line)
  }
  const [code]: unknown[] = await ended
  console.log(`=== ${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`)
  if (code === NOT_RUN) return { figures, end: 'not run' }
  // Without a figure nothing was measured, however well it ended.
  const isBroken = code !== 0 || figures.length === 0
  if (isBroken) figures.push({ line: `${name} BROKE (exit ${String(code)})`, reached: null })
  return { figures, end: isBroken ? 'broken' : 'measured' }
}

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { goals: { type: 'boolean', default: false }, rounds: { type: 'string' } },
})
const unknown = asked.filter((name) => !CELLS.some((cell) => cell === name))
if (unknown.length > 0) {
  console.error(`no such cell: ${unknown.join(', ')}; there are ${CELLS.join(', ')}`)
  process.exit(2)
}
const cells: Cell[] = []
for (const name of asked.length > 0 ? asked : CELLS) cells.push(await run(name))
const figures = cells.flatMap((cell) => cell.figures)
const ended = (end: Cell['end']): number => cells.filter((cell) => cell.end === end).length

console.log('\nmedian [least–most] of interleaved rounds')
for (const { line, reached } of figures)
  console.log(`${reached === null ? '     ' : reached ? '   ok' : 'SHORT'}  ${line}`)
const withGoal = figures.filter(({ reached }) => reached !== null)
const short = withGoal.filter(({ reached }) => reached === false).length
console.log(
  `${ended('measured')} cells measured, ${ended('broken')} broken, ${ended('not run')} not run; ` +
    `${withGoal.length - short} of ${withGoal.length} goals reached`,
)
if (ended('broken') > 0 || (values.goals && short > 0)) process.exitCode = 1
else if (ended('measured') === 0) notRun('the cells need what this machine lacks')

/**
 * `npm run bench [-- name …]`: every cell in a process of its own, one after the other, then all figures with their goals.
 * Absolute times are this machine's; only the ratios mean something elsewhere.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'

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

async function run(name: string): Promise<Figure[]> {
  const began = performance.now()
  console.log(`\n=== ${name}`)
  const child = spawn(process.execPath, [new URL(`${name}.ts`, import.meta.url).pathname], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const figures: Figure[] = []
  const ended = once(child, 'close')
  for await (const line of createInterface({ input: child.stdout })) {
    const figure = judged(line)
    if (figure !== null) figures.push(figure)
    console.log(figure?.reached === false ? `${line}   SHORT` : line)
  }
  const [code]: unknown[] = await ended
  if (code !== 0) figures.push({ line: `${name} failed (exit ${String(code)})`, reached: false })
  console.log(`=== ${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`)
  return figures
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !CELLS.some((cell) => cell === name))
if (unknown.length > 0) {
  console.error(`no such cell: ${unknown.join(', ')}; there are ${CELLS.join(', ')}`)
  process.exit(2)
}
const chosen = (asked.length > 0 ? asked : CELLS).filter((name) => existsSync(new URL(`${name}.ts`, import.meta.url)))
const figures: Figure[] = []
for (const name of chosen) figures.push(...(await run(name)))

console.log('\nmedian [least–most] of interleaved rounds')
for (const { line, reached } of figures)
  console.log(`${reached === null ? '     ' : reached ? '   ok' : 'SHORT'}  ${line}`)
const withGoal = figures.filter(({ reached }) => reached !== null)
console.log(`${withGoal.filter(({ reached }) => reached).length} of ${withGoal.length} goals reached`)

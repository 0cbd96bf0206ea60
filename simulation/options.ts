import { parseArgs } from 'node:util'
import { WHOLE, type Part } from './part.ts'

export const USAGE = `npm run prove -- whole
  --first N --seeds N    which seeds (1, 10)
  --cpu-hours H          instead of --seeds: ends at the first seed after so much CPU time of this process
  --until-failure        ends at the first seed that fails
  --seed N               one seed, with its story
  --story                prints the story of every seed
  --twice                runs each seed once more: the second run must be the same
  --shrink               looks for the smallest part of a failing plan that breaks the same promise
  --shrink-minutes M     so long at most, CPU minutes (20); the smallest part so far is told
  --faults, --presses, --stocks 0,3|none; --calm-at MS --end-at MS    only this part of a plan
  --results FILE         adds what came of the seeds to FILE; several processes may, each takes seeds of its own
  --resume               leaves out seeds that FILE has of this version of the program; without it they are refused
  --sum FILE             adds up what FILE has of the newest version; 1 when that shows a failure, or too little
  --kinds                every kind of fault and press, and in how many plans of the seeds it is
`

export interface Options {
  readonly first: number
  readonly seeds: number
  readonly cpuSeconds: number
  readonly untilFailure: boolean
  readonly story: boolean
  readonly twice: boolean
  readonly shrink: boolean
  readonly shrinkCpuSeconds: number
  readonly part: Part
  readonly results: string | null
  readonly resume: boolean
  readonly sum: string | null
  readonly kinds: boolean
}

/** Throws, with the usage, for what it does not know. */
export function optionsOf(args: readonly string[]): Options {
  try {
    return read(args)
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, { cause: error })
  }
}

const text = { type: 'string' } as const
const yes = { type: 'boolean', default: false } as const
const KNOWN = {
  whole: yes,
  first: text,
  seeds: text,
  seed: text,
  'cpu-hours': text,
  'until-failure': yes,
  story: yes,
  twice: yes,
  shrink: yes,
  'shrink-minutes': text,
  kinds: yes,
  results: text,
  resume: yes,
  sum: text,
  faults: text,
  presses: text,
  stocks: text,
  'calm-at': text,
  'end-at': text,
} as const

const PARTS = ['faults', 'presses', 'stocks', 'calm-at', 'end-at'] as const

function read(args: readonly string[]): Options {
  const { values } = parseArgs({ args: [...args], options: KNOWN })
  const { seed, story, twice, shrink, kinds, resume } = values
  if (resume && values.results === undefined) throw new Error('--resume needs --results FILE')
  if (values.results !== undefined && PARTS.some((name) => values[name] !== undefined))
    throw new Error('a part of a plan shows nothing of its seed: no --results')
  const hours = numberOf(values['cpu-hours'], Number.POSITIVE_INFINITY)
  const seeds = numberOf(values.seeds, Number.isFinite(hours) ? Number.POSITIVE_INFINITY : 10)
  return {
    first: numberOf(seed ?? values.first, 1),
    seeds: seed === undefined ? seeds : 1,
    cpuSeconds: hours * 3_600,
    untilFailure: values['until-failure'],
    story: story || seed !== undefined,
    twice,
    shrink,
    shrinkCpuSeconds: numberOf(values['shrink-minutes'], 20) * 60,
    kinds,
    resume,
    part: {
      faults: placesOf(values.faults),
      presses: placesOf(values.presses),
      stocks: placesOf(values.stocks),
      calmAt: values['calm-at'] === undefined ? WHOLE.calmAt : numberOf(values['calm-at'], 0),
      endAt: values['end-at'] === undefined ? WHOLE.endAt : numberOf(values['end-at'], 0),
    },
    results: values.results ?? null,
    sum: values.sum ?? null,
  }
}

function numberOf(text: string | undefined, otherwise: number): number {
  const number = text === undefined ? otherwise : Number(text)
  if (Number.isNaN(number) || number < 0) throw new Error(`"${text}" is no number`)
  return number
}

function placesOf(text: string | undefined): readonly number[] | null {
  if (text === undefined) return null
  return text === 'none' ? [] : text.split(',').map((place) => numberOf(place, 0))
}

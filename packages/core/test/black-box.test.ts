import { expect, test } from 'vitest'
import {
  canonical,
  decideAgain,
  emptyBook,
  evolve,
  INCIDENT_FORM,
  inputOf,
  inputText,
  kstInstant,
  parseIncident,
  plainBook,
  playIncident,
  step,
  type Fact,
  type Incident,
  type IncidentStep,
  type StoredInput,
} from '../src/index.ts'
import { Desk, ISSUE } from './desk.ts'
import { EXAMPLE } from './settings.ts'
import { incidentBegins } from './simulate/beginning.ts'
import { pictureOf } from './simulate/monitor.ts'
import { attack, simulate } from './simulate/run.ts'

/** As if the last trade had been an hour old. */
function withOldPrices(one: IncidentStep): IncidentStep {
  if (one.input === null) return one
  const { context } = one.input
  const quotes = context.quotes.map(([code, quote]) => [code, { ...quote, at: quote.at - 3_600_000 }] as const)
  return { ...one, input: { ...one.input, context: { ...context, quotes } } }
}

const storedOf = (text: string): StoredInput => JSON.parse(text)

/** The whole of a run as an incident, and the book it ended with. */
function recorded(seed: number): { incident: Incident; end: string } {
  const steps: IncidentStep[] = []
  const journal: Fact[] = []
  let begun = emptyBook('')
  simulate(seed, false, ({ shell }) => {
    begun = shell.account.book
    shell.onDecided = (before, event, { context, quotes }, { facts }) => {
      if (facts.length === 0) return
      const known: readonly Fact[] = JSON.parse(JSON.stringify(facts))
      // Row 1 is taken: the tables were never read.
      steps.push({
        seq: journal.length + 2,
        facts: known,
        input: storedOf(inputText(before, event, context, quotes, 0)),
      })
      journal.push(...known)
    }
  })
  const incident = { digger: 'incident', form: INCIDENT_FORM, program: 'test', day: begun.day, steps } as const
  return { incident: { ...incident, book: plainBook(begun) }, end: pictureOf(journal.reduce(evolve, begun)) }
}

test('every decision of simulated days, stored and read again, makes the very same facts and effects', () => {
  let decisions = 0
  const different: unknown[] = []
  for (const seed of [1, 2, 3, 5, 8, 13]) {
    simulate(seed, false, ({ shell }) => {
      shell.onDecided = (before, event, { context, quotes }, { facts, effects }) => {
        const text = inputText(before, event, context, quotes, 0)
        const again = decideAgain(before.book, inputOf(storedOf(text)))
        decisions += 1
        if (canonical([again.facts, again.effects]) !== canonical([facts, effects]))
          different.push([event, again.facts, again.effects, facts, effects])
      }
    })
  }
  expect(decisions).toBeGreaterThan(10_000)
  expect(different).toEqual([])
})

test('an incident that was written to a file is played to the same end', () => {
  const { incident, end } = recorded(21)
  const played = playIncident(parseIncident(JSON.stringify(incident)))
  expect(played.divergence).toBe(null)
  expect(played.decided).toBe(incident.steps.length)
  expect(played.decided).toBeGreaterThan(50)
  expect(pictureOf(played.account.book)).toBe(end)
})

test('the first decision that this program takes otherwise is named, and what follows goes on from the facts of then', () => {
  const { incident, end } = recorded(21)
  const at = incident.steps.findIndex(({ facts }) => facts.some(({ kind }) => kind === 'orderIntended'))
  const steps = incident.steps.map((one, i) => (i === at ? withOldPrices(one) : one))
  const played = playIncident({ ...incident, steps })
  expect(played.divergence?.step.seq).toBe(incident.steps[at]?.seq)
  expect(played.divergence?.now.some(({ kind }) => kind === 'orderIntended')).toBe(false)
  expect(pictureOf(played.account.book)).toBe(end)
})

test('a stock added before the open of the day after holidays is decided again with them', () => {
  const desk = new Desk()
  desk.now = kstInstant('20261118', 80_000)
  desk.timer()
  const listing = { name: 'SK하이닉스', issue: { ...ISSUE, code: '000660' } }
  const event = {
    kind: 'command',
    ticket: 1,
    command: { kind: 'updateStock', code: '000660', version: null, settings: EXAMPLE, listing },
  } as const
  const closed = new Set(['20261116', '20261117'])
  const context = { ...desk.ctx, timetable: { ...desk.ctx.timetable, closed } }
  const { facts } = step(desk.account, event, context)
  expect(facts).toMatchObject([{ kind: 'stockAdded', settledOn: '20261113' }])
  const stored = storedOf(inputText(desk.account, event, context, new Map(), 0))
  expect(decideAgain(desk.account.book, inputOf(stored)).facts).toEqual(facts)
})

test('facts without inputs are taken as they are', () => {
  const { incident, end } = recorded(4)
  const steps = incident.steps.map((one) => ({ ...one, input: null }))
  const played = playIncident({ ...incident, steps })
  expect([played.decided, played.divergence, pictureOf(played.account.book)]).toEqual([0, null, end])
})

test('another file, and one of a later form, is refused', () => {
  expect(() => parseIncident('{"digger":"dump"}')).toThrow(/no incident/)
  const { incident } = recorded(4)
  expect(() => parseIncident(JSON.stringify({ ...incident, form: 99 }))).toThrow(/form 99/)
  const [first] = incident.steps
  if (first?.input == null) throw new Error('the first step has its input')
  const later = { ...first.input, form: 99 }
  expect(() => inputOf(later)).toThrow(/form 99/)
})

test('what an incident left behind is attacked, with an order on its way or without, and comes to rest', () => {
  const { incident } = recorded(5)
  for (const part of [0.2, 0.5, 0.9]) {
    const cut = { ...incident, steps: incident.steps.slice(0, Math.floor(incident.steps.length * part)) }
    const begins = incidentBegins(cut, playIncident(cut))
    for (const seed of [1, 2, 3]) expect([part, seed, attack(begins, seed).failure]).toEqual([part, seed, null])
    expect(attack(begins, 4, true).trace).toEqual(attack(begins, 4, true).trace)
  }
})

test('an incident without inputs tells nothing of the market, so nothing goes on from it', () => {
  const { incident } = recorded(4)
  const bare = { ...incident, steps: incident.steps.map((one) => ({ ...one, input: null })) }
  expect(() => incidentBegins(bare, playIncident(bare))).toThrow(/no inputs/)
})

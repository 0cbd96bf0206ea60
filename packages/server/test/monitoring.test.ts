import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLUSTER_METRICS } from '@digger/cluster'
import { vitalsOf } from '@digger/engine'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServerFixture } from './server-fixture.ts'
import { startFixture } from './shared-fixture.ts'

const FOLDER = join(import.meta.dirname, '../../../monitoring')
const RULES = readFileSync(join(FOLDER, 'alerts.yml'), 'utf8')
const DASHBOARD = readFileSync(join(FOLDER, 'dashboard.json'), 'utf8')

let fixture: ServerFixture
const known = new Map<string, ReadonlySet<string>>()

beforeAll(async () => {
  const vitals = vitalsOf([], { leaseHeld: false, silentMs: 0, brokerDown: false })
  const counts = { counts: () => Promise.resolve({ waiting: 0, failing: 0 }) }
  fixture = await startFixture({
    // Of what people are told only these numbers are asked for.
    parts: {
      probe: () => ({ ...vitals, broker: 'ok' }),
      notifications: Object.assign(Object.create(null), counts),
      backup: () => null,
    },
  })
  await fixture.call('GET', '/health')
  const { body } = await fixture.call('GET', '/metrics')
  for (const line of body.split('\n')) {
    const [, name, labels = ''] = /^([a-z_0-9]+)(?:\{([^}]*)\})? /.exec(line) ?? []
    if (name !== undefined)
      note(
        name,
        [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label ?? ''),
      )
  }
  for (const { name, labels } of CLUSTER_METRICS) note(`digger_${name}`, labels)
}, 60_000)
afterAll(() => fixture[Symbol.asyncDispose]())

const note = (name: string, labels: readonly string[]): void =>
  void known.set(name, new Set([...(known.get(name) ?? []), ...labels]))

const expressions = (): string[] => [
  ...[...RULES.matchAll(/^ +expr: (.+)$/gm)].map(([, expr]) => expr ?? ''),
  ...[...DASHBOARD.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, expr]) => String(JSON.parse(expr ?? '""'))),
]

test('every metric in the alert rules and on the dashboard is one that Digger has', () => {
  const named = expressions().flatMap((text) => text.match(/\b(?:digger|process|nodejs)_\w+/g) ?? [])
  expect(named.length).toBeGreaterThan(50)
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([])
})

test('so is every label that they group or choose by', () => {
  // Prometheus itself adds these.
  const added = new Set(['job', 'instance', 'le'])
  const unknown = expressions().flatMap((text) => {
    const metrics = text.match(/\b(?:digger|process|nodejs)_\w+/g) ?? []
    const used = [...text.matchAll(/by \(([\w, ]+)\)/g), ...text.matchAll(/\{(\w+)="/g)].flatMap(([, list]) =>
      (list ?? '').split(', '),
    )
    return used.filter((label) => !added.has(label) && !metrics.some((name) => known.get(name)?.has(label) === true))
  })
  expect(unknown).toEqual([])
})

test('each thing that an operator must not miss has its rule', () => {
  for (const name of [
    'trouble',
    'accounts_not_armed_in_session',
    'due_age_ms',
    'unknown_age_ms',
    'accounts_asking',
    'backup_failed',
  ])
    expect([name, expressions().some((text) => text.startsWith(`digger_${name} `))]).toEqual([name, true])
  expect(RULES).toContain('up{job="digger"} == 0')
  // As docs/moving-house.md says; the maximum passes over processes that take none, which have NaN.
  expect(expressions()).toContain('max(digger_backup_age_seconds) > 100000')
})

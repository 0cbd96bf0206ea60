import { glob, readFile } from 'node:fs/promises'
import { browserClaims, claimsIn, gaps, playwright, unitResults, unproved, type Claim } from './spec/claims.ts'
import { SENTENCES } from './spec/sentences.ts'
import { UNIT_TESTS } from './spec/unit-tests.ts'
import { expect, test } from './test.ts'

const claim = (title: string, sentence: string, counts = true): Claim => ({ test: title, sentence, counts })

/** A test that proves a sentence, as listed in projects that expect these states of it. */
const listed = (...states: string[]): Claim[] => {
  const annotations = [{ type: 'spec', description: 'one' }]
  const tests = states.map((expectedStatus) => ({ expectedStatus, annotations }))
  return claimsIn({ suites: [{ specs: [{ title: 'a', file: 'f', ok: true, tests }] }] })
}

/**
 * Every sentence of the specification is proved. Here: there are as many tests as it says, and none is left out. In test.ts:
 * a test that compares nothing fails, and so does one that leaves itself out at the last moment.
 */
test.describe('coverage', { tag: '@fixture' }, () => {
  // Each of these runs other tests, beside this run.
  test.setTimeout(180_000)
  const titles = Object.keys(UNIT_TESTS)

  test('every sentence of the specification has its tests', async () => {
    const unit = Object.entries(UNIT_TESTS).flatMap(([title, sentences]) =>
      sentences.map((sentence): Claim => ({ test: `unit: ${title}`, sentence, counts: true })),
    )
    expect(gaps(SENTENCES, [...(await browserClaims()), ...unit])).toEqual([])
  })

  test('no browser test gets around the counting of what it compares', async () => {
    for await (const file of glob('**/*.spec.ts', { cwd: import.meta.dirname })) {
      const text = await readFile(`${import.meta.dirname}/${file}`, 'utf8')
      expect(text, file).not.toMatch(/import \{[^}]*\b(test|expect)\b[^}]*\} from '@playwright\/test'/)
    }
  })

  test('the unit tests among them are there, pass, and compare something', async ({ target: _target }, info) => {
    const results = await unitResults(titles, '{packages,apps}/**/*.test.{ts,tsx}', info.outputPath('unit.json'))
    expect(unproved(titles, results)).toEqual([])
  })
})

test.describe('what coverage must not overlook', { tag: '@fixture' }, () => {
  test.setTimeout(180_000)
  test('a sentence without a test, with fewer than it says, or with one twice', () => {
    expect(gaps({ one: 1, two: 2 }, [claim('a', 'one'), claim('a', 'two'), claim('b', 'two')])).toEqual([])
    expect(gaps({ one: 1 }, [])).toEqual(['“one”: 0 tests, not 1'])
    expect(gaps({ one: 0 }, [])).toEqual(['“one”: 0 tests, not 0'])
    expect(gaps({ two: 2 }, [claim('a', 'two'), claim('a', 'two')])).toEqual(['“two”: 1 tests, not 2'])
    expect(gaps({ one: 1 }, [claim('a', 'one'), claim('b', 'none')])).toEqual(['b: no sentence “none”'])
  })

  test('a test that is left out, or expected to fail, in one project or in all', () => {
    expect(gaps({ one: 1 }, listed('passed', 'passed'))).toEqual([])
    for (const states of [['skipped'], ['failed'], ['passed', 'skipped']])
      expect(gaps({ one: 1 }, listed(...states))).toEqual([
        'f: a: does not run, but proves “one”',
        '“one”: 0 tests, not 1',
      ])
  })

  test('a browser test that compares nothing, leaves itself out, or sees made-up replies that cannot be', async () => {
    const { suites } = await playwright('e2e/spec/samples/playwright.config.ts')
    const outcomes = suites.flatMap(({ specs = [] }) => specs.map(({ title, ok }) => [title, ok]))
    expect(Object.fromEntries(outcomes)).toEqual({
      'compares something': true,
      'compares what it waits for': true,
      'compares softly': true,
      'compares by way of not': true,
      'compares what is resolved': true,
      'compares until it passes': true,
      'was emptied': false,
      'lost its matcher': false,
      'lost its matcher after not': false,
      'lost the matcher of what it waits for': false,
      'lost its soft matcher': false,
      'repeats what compares nothing': false,
      'only waits': false,
      'was emptied and proves no sentence': false,
      'leaves itself out': false,
      'is given what the product never answers': false,
    })
  })

  test('a unit test that was emptied, fails, or is gone', async ({ target: _target }, info) => {
    const samples = ['sample %d compares something', 'sample was emptied', 'sample fails', 'sample is gone']
    const results = await unitResults(samples, 'e2e/spec/samples/unit.ts', info.outputPath('unit.json'))
    expect(unproved(samples, results)).toEqual(samples.slice(1))
  })
})

import { glob, readFile } from 'node:fs/promises'
import { browserClaims, claimsIn, gaps, unitFiles, unproved, type Claim } from './spec/claims.ts'
import { proofless } from './spec/proof.ts'
import { SENTENCES } from './spec/sentences.ts'
import { UNIT_TESTS } from './spec/unit-tests.ts'
import { expect, settled, test } from './test.ts'

const claim = (title: string, sentence: string, counts = true): Claim => ({ test: title, sentence, counts })

/** A test that proves a sentence, as listed in projects that expect these states of it. */
const listed = (...states: string[]): Claim[] => {
  const annotations = [{ type: 'spec', description: 'one' }]
  const tests = states.map((expectedStatus) => ({ expectedStatus, annotations }))
  return claimsIn({ suites: [{ specs: [{ title: 'a', file: 'f', tests }] }] })
}

/**
 * Every sentence of the specification is proved. Here: there are as many tests as it says, and none is left out. In test.ts:
 * a test that compares nothing fails, and so does one that leaves itself out at the last moment.
 */
test.describe('coverage', { tag: '@fixture' }, () => {
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

  test('the unit tests among them are there, and compare something', async () => {
    expect(unproved(Object.keys(UNIT_TESTS), await unitFiles())).toEqual([])
  })
})

test.describe('what coverage must not overlook', { tag: '@fixture' }, () => {
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

  test('a test that compares nothing, leaves itself out, or sees made-up replies that cannot be', () => {
    const ended = { status: 'passed', compared: 1, sentences: ['one'], misfits: [] }
    expect(proofless(ended)).toBeNull()
    expect(proofless({ ...ended, compared: 0 })).toContain('compares nothing')
    expect(proofless({ ...ended, compared: 0, sentences: [] })).toContain('compares nothing')
    // It is red already.
    expect(proofless({ ...ended, status: 'failed', compared: 0 })).toBeNull()
    expect(proofless({ ...ended, status: 'skipped' })).toContain('may not be skipped')
    expect(proofless({ ...ended, status: 'skipped', sentences: [] })).toBeNull()
    expect(proofless({ ...ended, misfits: ['stock: price'] })).toContain('stock: price')
  })

  test('a unit test that is gone, is skipped, or may compare nothing', () => {
    const line = 'const comparing = () => expect.hasAssertions()\nbeforeEach(comparing)\n'
    const each = `test.each([\n  [1],\n])('b %d', () => undefined)`
    expect(unproved(['a', 'b %d'], [`${line}\ntest('a', () => undefined)\n${each}`])).toEqual([])
    expect(unproved(['a'], [`${line}\ntest('another', () => undefined)`])).toEqual(['a'])
    expect(unproved(['a'], [`${line}\ntest.skip('a', () => undefined)`])).toEqual(['a'])
    expect(unproved(['a'], [`test('a', () => undefined)`])).toEqual(['a'])
    expect(unproved(['a'], [`${line}\nconst name = 'a'`])).toEqual(['a'])
  })
})

test.describe('is counted as a comparison:', { tag: '@fixture' }, () => {
  test('a matcher', () => expect(1).toBe(1))
  test('one that waits', () => expect.poll(() => 1).toBe(1))
  test('a soft one', () => expect.soft(1).toBe(1))
  test('one by way of not', () => expect(1).not.toBe(2))
  test('one of what is resolved', () => expect(Promise.resolve(1)).resolves.not.toBe(2))
  test('one that is repeated until it passes', () => expect(() => expect(1).toBe(1)).toPass())
})

/** Each of these must fail: a test that passes here is red. */
test.describe('is no comparison:', { tag: '@fixture' }, () => {
  test.fail('nothing at all', () => undefined)
  test.fail('an expectation without a matcher', () => void expect(1))
  test.fail('one without a matcher after not', () => void expect(1).not)
  test.fail('one that waits, without a matcher', () => void expect.poll(() => 1))
  test.fail('a soft one without a matcher', () => void expect.soft(1))
  test.fail('repeating what compares nothing', () => expect(() => undefined).toPass())
  test.fail('only waiting', async ({ page }) => {
    await page.setContent('<main>here</main>')
    await settled(page)
  })
  test.fail('a reply that the product never gives', async ({ request, site }) => {
    const state = site.fixture?.state
    // The number itself: the stock changes.
    const before = state?.stock('u1', '005930').price ?? 0
    state?.setPrice('u1', '005930', 0.5)
    await request.post('/api/login', { data: site.user })
    expect((await request.get('/api/user/stock/005930')).status()).toBe(200)
    state?.setPrice('u1', '005930', before)
  })
})

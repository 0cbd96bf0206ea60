import { expect, test } from 'vitest'

/** What coverage.spec.ts must tell apart. */
test.each([1, 2])('sample %d compares something', (count) => expect(count).toBeGreaterThan(0))
const NOTHING: readonly number[] = []
test('sample was emptied', () => NOTHING.forEach((one) => expect(one).toBe(1)))
test('sample fails', () => expect(1).toBe(2))

import { describe, expect, test } from 'vitest'
import { checkModel, VARIANTS } from './check-model.ts'
import { findSpin } from './find-spin.mjs'

describe('two workers and one lot, in every order of events', () => {
  test.each(VARIANTS)('$name', { timeout: 120_000 }, async (variant) => {
    const spin = findSpin()
    if (spin === null) throw new Error('spin or gcc is missing here')
    const { result, states } = await checkModel(spin, variant)
    expect(result).toBe(variant.expected)
    expect(states).toBeGreaterThan(10_000)
  })
})

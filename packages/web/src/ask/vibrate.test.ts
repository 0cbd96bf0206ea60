import { afterEach, expect, test, vi } from 'vitest'
import { vibrate } from './vibrate.ts'

afterEach(() => vi.unstubAllGlobals())

const phone = ({ pressed = true, lessMotion = false, able = true } = {}) => {
  const asked: number[] = []
  const motor = { vibrate: (ms: number) => asked.push(ms) > 0 }
  vi.stubGlobal('navigator', { ...(able && motor), userActivation: { hasBeenActive: pressed } })
  vi.stubGlobal('matchMedia', () => ({ matches: lessMotion }))
  return asked
}

test.each([
  ['is felt for half a second', {}, [500]],
  ['is not before anything was pressed', { pressed: false }, []],
  ['is not by who wants less motion', { lessMotion: true }, []],
  ['asks nothing of a device that cannot', { able: false }, []],
])('an alert %s', (_case, given, felt) => {
  const asked = phone(given)
  vibrate()
  expect(asked).toEqual(felt)
})

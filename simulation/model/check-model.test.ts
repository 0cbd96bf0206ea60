import { expect, test } from 'vitest'
import { foundIn } from './check-model.ts'

const end = (errors: number): string =>
  `State-vector 84 byte, depth reached 324, errors: ${errors}\n   657453 states, stored\n`

test('a search that did not see every state is no proof', () => {
  expect(foundIn(end(0))).toEqual({ result: 'holds', states: 657_453, steps: null })
  expect(() => foundIn(`error: max search depth too small\n${end(0)}`)).toThrow('did not come to its end')
  expect(() => foundIn(`Warning: Search not completed\n${end(0)}`)).toThrow('did not come to its end')
  expect(() => foundIn(end(1))).toThrow('did not come to its end')
  expect(() => foundIn('')).toThrow('did not come to its end')
  expect(foundIn(`pan:1: assertion violated  !(isTaken[(1-1)]) (at depth 82)\n${end(1)}`)).toMatchObject({ steps: 82 })
})

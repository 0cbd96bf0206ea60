import { expect, test } from 'vitest'
import { GUARDS, isFoundOnce } from './mutate/all.ts'

test('every guard that the mutation check takes away is where it says', () => {
  expect(GUARDS.filter((guard) => !isFoundOnce(guard)).map(({ name }) => name)).toEqual([])
})

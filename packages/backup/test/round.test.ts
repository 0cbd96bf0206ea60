import { expect, test } from 'vitest'
import { KIND, Places } from './fixture.ts'
import { comesBack, standsTheDrill } from './rounds.ts'

const places = new Places()

test('a backup comes back in an empty database, halted and asking', () =>
  expect(comesBack(places, KIND, KIND)).resolves.toBe(undefined))
test(
  'a backup stands the drill, which leaves nothing behind',
  () => expect(standsTheDrill(places, KIND)).resolves.toBe(undefined),
  60_000,
)

import { describe, expect, test } from 'vitest'
import { type Kind, Places } from './fixture.ts'
import { comesBack, standsTheDrill } from './rounds.ts'
import { backedUpBeside } from './traded-beside.ts'

const places = new Places()

describe('a backup', { timeout: 120_000 }, () => {
  test.each<[Kind, Kind]>([
    ['embedded', 'postgres'],
    ['postgres', 'embedded'],
    ['embedded', 'embedded'],
  ])('of %s comes back in an empty %s, halted and asking', (from, to) =>
    expect(comesBack(places, from, to)).resolves.toBe(undefined),
  )
  test('of embedded stands the drill, which leaves nothing behind', () =>
    expect(standsTheDrill(places, 'embedded')).resolves.toBe(undefined))
  test('beside an embedded server that trades is of one moment, and commits go on', () =>
    expect(backedUpBeside(places, 'embedded')).resolves.toBe(undefined))
})

import { expect, test } from 'vitest'
import { fieldsLanguage } from './vocabulary.ts'

const rule = fieldsLanguage(['packages/old'])
const found = (text: string, path = 'packages/new/src/a.ts') => rule([{ path, text }])

test.each([
  ['export interface RunnerWorld {}', 'RunnerWorld', 'Deps'],
  ['class World {}', 'World', 'Fixture'],
  ['const MOST_ROWS = 3', 'MOST_ROWS', 'MAX_'],
  ['const LONGEST_URL = 3', 'LONGEST_URL', 'MAX_'],
  ['const WORTH_BYTES = 3', 'WORTH_BYTES', 'MIN_'],
  ['const SEND_PATIENCE_MS = 3', 'SEND_PATIENCE_MS', '_TIMEOUT_MS'],
  ['const AT_ONCE = 3', 'AT_ONCE', '_CONCURRENCY'],
  ['const READ_APART_MS = 3', 'READ_APART_MS', '_INTERVAL_MS'],
  ['const heardAt = 3', 'heardAt', 'received'],
  ['tell(line)', 'tell', 'publish'],
  ['const { said } = end', 'said', 'message'],
  ['function obeyOnStock() {}', 'obeyOnStock', 'handleCommand'],
  ['const lies = (key) => key', 'lies', 'matchesQuery'],
  ['knowMarket(open)', 'knowMarket', 'set…'],
  ['const refuseDear = 1', 'refuseDear', 'AboveMaxPrice'],
  ['type Wish = 1', 'Wish', 'PendingSale'],
  ['const LIKELY_ANSWERS = 1', 'LIKELY_ANSWERS', 'DEFAULT_'],
  ['class BrokerHands {}', 'BrokerHands', 'Control'],
  ['console.log(`for ${told} of them`)', 'told', 'publish'],
])('%s is refused', (text, word, instead) => {
  expect(found(text)).toHaveLength(1)
  expect(found(text)[0]).toContain(`packages/new/src/a.ts: "${word}" is a word of this house only`)
  expect(found(text)[0]).toContain(instead)
})

test.each(['world.ts', 'hands.test.ts', 'wishes.tsx', 'early.ts'])('a file named %s is refused', (name) =>
  expect(found('', `packages/new/src/${name}`)).toHaveLength(1),
)

test.each([
  ['a comment', '/** The world as told. */\nrun() // heard it'],
  ['a text', `const text = 'said' + "lies" + \`they told \${who}\``],
  ['a pattern', 'const word = /World|told/'],
  ['a word that holds one', 'const worldwide = foretold + aliens + dearest'],
  ['the words of the exchange and of the spec', 'const armed = collar + tape + lot + halt + gain'],
])('%s is allowed', (_name, text) => expect(found(text)).toEqual([]))

test('a folder that is still being renamed is left alone, its neighbour is not', () => {
  expect(found('class World {}', 'packages/old/src/world.ts')).toEqual([])
  expect(found('class World {}', 'packages/older/src/a.ts')).toHaveLength(1)
})

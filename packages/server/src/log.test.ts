import { expect, test } from 'vitest'
import { createLogger } from './log.ts'

const lines: string[] = []
const logger = createLogger('info', { write: (line) => void lines.push(line) })

test('somebody who leaves in the middle of a reply is no error; other errors are', () => {
  logger.error(new Error('premature close'))
  expect(lines).toEqual([])
  logger.error(new Error('disk full'))
  expect(lines.map((line) => [JSON.parse(line).level, JSON.parse(line).err.message])).toEqual([[50, 'disk full']])
})

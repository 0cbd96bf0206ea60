import { beforeEach, expect, test } from 'vitest'
import { ask, dismissQuestions, openQuestions, type Asked } from './ask.ts'

// Other tests of the process may have asked something.
beforeEach(dismissQuestions)

const CHOICES = [
  { name: '두기', value: 'keep' },
  { name: '취소', value: 'cancel', danger: true },
] as const
const newest = () => {
  const asked = openQuestions().at(-1)
  if (asked === undefined) throw new Error('nothing is asked')
  return asked
}

const ANSWERS: readonly (readonly [given: Parameters<Asked['answer']>[0], chosen: string | null])[] = [
  ['keep', 'keep'],
  ['cancel', 'cancel'],
  [null, null],
  // What no choice says is none: neither a yes of another kind nor a text.
  [true, null],
  ['other', null],
  [['keep'], null],
]

test.each(ANSWERS)('a choice answered by %j gives %j', async (given, chosen) => {
  const answer = ask.choose('어떻게 할까요?', CHOICES, '둘 다 멈춥니다.')
  expect(newest().question).toEqual({
    kind: 'choice',
    message: '어떻게 할까요?',
    choices: CHOICES,
    note: '둘 다 멈춥니다.',
  })
  newest().answer(given)
  expect(await answer).toBe(chosen)
  expect(openQuestions()).toEqual([])
})

test('a choice that is left with its page was not made', async () => {
  const answer = ask.choose('어떻게 할까요?', CHOICES)
  dismissQuestions()
  expect(await answer).toBeNull()
})

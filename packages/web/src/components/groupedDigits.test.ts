import { assert, boolean, nat, property, stringMatching } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { groupDigits } from './groupedDigits.ts'

/** A text with `|` where the caret stands. */
const at = (marked: string) => ({ text: marked.replace('|', ''), caret: marked.indexOf('|') })
const plain = (part: string) => part.replaceAll(',', '')
const shown = ({ text, caret }: { text: string; caret: number }) => `${text.slice(0, caret)}|${text.slice(caret)}`

describe('digits are apart by thousands while they are typed, and the caret stays behind the same digit', () => {
  test.each([
    ['1|', '1|'],
    ['1234|', '1,234|'],
    ['1,2345|', '12,345|'],
    ['15|,234', '15|,234'],
    ['1,9|234', '19|,234'],
    ['1|234', '1|,234'],
    ['1,23|', '123|'],
    ['|1234567', '|1,234,567'],
    ['-1234|', '-1,234|'],
    ['1234.5|', '1,234.5|'],
    ['1234.|', '1,234.|'],
    ['007|', '007|'],
  ])('%s → %s', (before, after) => expect(shown(groupDigits(at(before)))).toBe(after))

  test('what was deleted behind the caret does not hold it before a separator', () =>
    expect(shown(groupDigits(at('1|234'), true))).toBe('1,|234'))

  test.each(['', '1,000만|', '1억 2,000만|', '칠만|', '1.2.3|', '70,000원|', ',|', '１２３４|'])(
    'anything else stays: %s',
    (text) => expect(groupDigits(at(text))).toEqual(at(text)),
  )

  test('no digit is lost, and as many stand before the caret as before', () =>
    assert(
      property(stringMatching(/^[\d,]{0,15}$/), nat(15), boolean(), (text, place, isForward) => {
        const caret = Math.min(place, text.length)
        const grouped = groupDigits({ text, caret }, isForward)
        expect(plain(grouped.text)).toBe(plain(text))
        expect(plain(grouped.text.slice(0, grouped.caret))).toBe(plain(text.slice(0, caret)))
        expect(grouped.text).toMatch(/^(\d{1,3}(,\d{3})*|,*)$/)
        expect(groupDigits(grouped, isForward).text).toBe(grouped.text)
      }),
    ))
})

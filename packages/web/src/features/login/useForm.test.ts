import { expect, test } from 'vitest'
import { fieldErrors } from './useForm.ts'

const LABELS = { 'HTS ID': 'htsId', appKey: 'appKey', 계좌번호: 'accountNumber' }

test.each([
  ['HTS ID: 증권사가 모르는 아이디입니다.', { htsId: '증권사가 모르는 아이디입니다.' }, ''],
  ['appKey: 36자입니다.\n계좌번호: 숫자 8자리로', { appKey: '36자입니다.', accountNumber: '숫자 8자리로' }, ''],
  // The first of a field counts; what is of no field stays for the alert.
  ['appKey: 하나\nappKey: 둘\n증권사가 거절했습니다: 까닭', { appKey: '하나' }, '증권사가 거절했습니다: 까닭'],
  ['appKey와 appSecret을 확인해 주세요.', {}, 'appKey와 appSecret을 확인해 주세요.'],
])('%j is said at its field', (message, errors, rest) => {
  expect(fieldErrors(message, LABELS)).toEqual({ errors, rest })
})

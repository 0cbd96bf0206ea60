import { expect, test } from 'vitest'
import { isKeyed, KEYED, paths } from './paths.ts'

/** What comes of a call that arrives twice, for those that change something and are no command of an account. */
const TWICE: Readonly<Record<string, string>> = {
  login: 'another session; the one that the browser had ends',
  logout: 'nothing more',
  adminLogout: 'nothing more',
  signUp: 'refused: the e-mail address is taken, and opens with its password',
  changePassword: 'refused: the password of before is not right any more',
  passkeyLogin: 'refused: an answer is good once; never sent again by our client',
  stepUp: 'refused: an answer is good once, or the password proves the same again',
  beginPasskey: 'another question',
  addPasskey: 'refused: the answer was used',
  removePasskey: 'nothing more',
  beginTotp: 'another secret; the one before is void',
  confirmTotp: 'refused: the code was used',
  removeTotp: 'nothing more',
  makeCodes: 'another ten; those before are void',
  endSession: 'nothing more',
  endOtherSessions: 'nothing more',
  resetFactors: 'nothing more',
  changeCredentials: 'the same keys, tried and stored once more',
  setBankBalance: 'the same amount for the same day',
  importOrdered: 'rows that are there are counted as skipped',
  connectSocket: 'nothing more',
  disconnectSocket: 'nothing more',
  adminConnectSocket: 'nothing more',
  adminDisconnectSocket: 'nothing more',
  createUserKey: 'the key is open',
  deleteUserKey: 'the key is closed',
  setMayAdd: 'the same switch',
  setCalendarDay: 'the same day',
  deleteCalendarDay: 'the day is as it was',
  bulkLogin: 'each account asks its broker again; never sent again by our client',
  bulkCancel: 'what is open is cancelled; never sent again by our client',
  bulkSell: 'lots without an order get one; never sent again by our client',
  bulkCheck: 'compared again; never sent again by our client',
  bulkFix: 'corrected to what is there; never sent again by our client',
  startJob: 'refused while the first goes on; never sent again by our client',
  cancelJob: 'nothing more',
  retryJob: 'refused while the first goes on; never sent again by our client',
  drainWorker: 'nothing more',
  setNotifications: 'the same settings',
  addChannel: 'the same channel: an address is there once',
  changeChannel: 'the same change',
  removeChannel: 'refused: it is gone; nothing else is',
  linkTelegram: 'another code; the one before is void',
  testNotification: 'a second test',
  makeStopLink: 'another secret; the one before is void',
  revokeStopLink: 'nothing more',
  makeApiToken: 'a second token, which is in the list; never sent again by our client',
  revokeApiToken: 'refused: it is gone; nothing else is',
  startConnectionCheck: 'the one that runs, or refused for a minute: it only reads',
  pressStopLink: 'stopped already; what still rests is cancelled again',
}

test('of every call that changes something it is known what comes of it when it arrives twice', () => {
  const keyed = new Set<string>(KEYED)
  const changes = Object.entries(paths).flatMap(([name, [method]]) => (method === 'GET' ? [] : name))
  expect(changes.filter((name) => keyed.has(name) === name in TWICE)).toEqual([])
  expect([...KEYED].filter((name) => paths[name][0] === 'GET' || !paths[name][1].includes('{userId}'))).toEqual([])
})

test('a stop of the whole server is no command of one account', () => {
  expect(['server', 'user', 'stock'].map((level) => isKeyed('setStop', { level }))).toEqual([false, true, true])
  expect([isKeyed('setStop', null), isKeyed('marketBuy', undefined), isKeyed('stocks', undefined)]).toEqual([
    true,
    true,
    false,
  ])
})

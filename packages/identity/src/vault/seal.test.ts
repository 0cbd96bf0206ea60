import { expect, test } from 'vitest'
import { isHpke, newKeyPair, sealFor, unsealWith } from './hpke.ts'
import { openBoundShare, openUnboundShare } from './oldShares.ts'
import { SealError, unseal } from './seal.ts'

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')

const SECRET = '비밀 of a user'
const KEY = bytes('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f')
const PRIVATE_KEY = bytes(
  '302e020100300506032b656e04220420185b1fbabf9e1fd3e1b896ca7e7388ee911147688823df78dc3d8028d5e80b61',
)

/** Written once by the program of the time and never changed: databases and backups hold bytes of each of these forms. */
const SEALED_BY_KEY = {
  'before keys had versions': {
    label: 'credentials:u',
    sealed: '19f3c0443b7a341633ac37ab18e3019fce187a9b998eee81bada92083db05c41b920cf8de98e09165f52b2cd',
  },
  'with a version': {
    label: 'digger 2:credentials:u:1',
    sealed: 'f5d022b6f98fb9197f4fd3d7d8470fd99c5243dc9bf7a9d243aa01fadfa670de8e23ea435b540ec716766a2c',
  },
}
const UNBOUND_SHARE = bytes(
  '002c302a300506032b656e032100917ac1924890a05154a64ca705b7d21eb1233cfcf5fc1807c81ac72bbbc59575741197c6921ae006378c33828916247402e3fd2233a18b3b53f15d79e0517827fe779ccf09b7967a05635f0a',
)
const BOUND_SHARE = bytes(
  '002c302a300506032b656e032100bca508f2cfedde063180fc35b2f6ce725770a2c1f9279fcad8cc3b37564194174617f6bdc4968fa431b1e0e48b516546005557f6ebd9483ba7e45d70f7770c9e73abb7b5f020ee2d40d085ea',
)
const HPKE_SHARE = bytes(
  '02bb11212c6404c7dba856f5493180f7f5ab967aeb138436beb75ce23ca7a63753dcdf9cfd68c4beef244c51ebb427cacb10a690f9e0782c6a0b5a29737dd08f03',
)

test.each(Object.entries(SEALED_BY_KEY))('what was sealed by a key %s still opens', (_when, { label, sealed }) => {
  expect(unseal(KEY, bytes(sealed), label).toString()).toBe(SECRET)
})

test('a share of each form still opens, and each as its own form only', async () => {
  expect(openUnboundShare(PRIVATE_KEY, UNBOUND_SHARE, 'share:u:a').toString()).toBe(SECRET)
  expect(openBoundShare(PRIVATE_KEY, BOUND_SHARE, 'digger 2:share:u:a:1').toString()).toBe(SECRET)
  expect((await unsealWith(PRIVATE_KEY, HPKE_SHARE, 'digger 2:share:u:a:1')).toString()).toBe(SECRET)
  expect([UNBOUND_SHARE, BOUND_SHARE, HPKE_SHARE].map(isHpke)).toEqual([false, false, true])
  expect(() => openBoundShare(PRIVATE_KEY, UNBOUND_SHARE, 'share:u:a')).toThrow(SealError)
  expect(() => openUnboundShare(PRIVATE_KEY, BOUND_SHARE, 'digger 2:share:u:a:1')).toThrow(SealError)
  await expect(unsealWith(PRIVATE_KEY, BOUND_SHARE, 'digger 2:share:u:a:1')).rejects.toThrow(SealError)
})

test('a share is bound to the public key it was made for, to its label, and to every bit', async () => {
  const mine = newKeyPair()
  const sealed = await sealFor(mine.publicKey, Buffer.from('비밀'), 'share')
  expect((await unsealWith(mine.privateKey, sealed, 'share')).toString()).toBe('비밀')
  await expect(unsealWith(newKeyPair().privateKey, sealed, 'share')).rejects.toThrow(SealError)
  await expect(unsealWith(mine.privateKey, sealed, 'another')).rejects.toThrow(SealError)
  for (let at = 0; at < sealed.length; at++) {
    const bent = Buffer.from(sealed)
    bent[at] = (bent[at] ?? 0) ^ 1
    await expect(unsealWith(mine.privateKey, bent, 'share')).rejects.toThrow(SealError)
  }
})

test.each([[[]], [[2]], [[2, 9, 1]], [[0, 9, 1]], [[2, ...Array.from({ length: 64 }, () => 0)]]])(
  'bytes that are no share (%#) are refused as such',
  async (raw) => {
    await expect(unsealWith(PRIVATE_KEY, Buffer.from(raw), 'share')).rejects.toThrow(SealError)
    expect(() => openBoundShare(PRIVATE_KEY, Buffer.from(raw), 'share')).toThrow(SealError)
  },
)

import { expect, test } from 'vitest'
import { newKeyPair, SealError, sealFor, unsealUnbound, unsealWith } from './seal.ts'

test('a share is bound to the public key it was made for', () => {
  const mine = newKeyPair()
  const sealed = sealFor(mine.publicKey, Buffer.from('비밀'), 'share')
  expect(unsealWith(mine.privateKey, sealed, 'share').toString()).toBe('비밀')
  expect(() => unsealUnbound(mine.privateKey, sealed, 'share')).toThrow(SealError)
  expect(() => unsealWith(mine.privateKey, Buffer.from([0, 9, 1]), 'share')).toThrow(SealError)
})

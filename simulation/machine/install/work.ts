import crypto, { createHash, webcrypto } from 'node:crypto'
import { createRequire } from 'node:module'
import zlib from 'node:zlib'
import { CHANCE, fillWithChance, random } from '../chance.ts'
import { theSimulation } from '../current.ts'
import { refuse, replace } from './replace.ts'

replace(Math, { random })
replace(crypto, CHANCE)
replace(globalThis.crypto, { getRandomValues: fillWithChance, randomUUID: CHANCE.randomUUID })

/** Node does these on other threads: the simulation waits for them. */
const subtle: object = Object.getPrototypeOf(webcrypto.subtle)
for (const name of Object.getOwnPropertyNames(subtle)) {
  const original: unknown = Reflect.get(subtle, name)
  if (typeof original !== 'function' || name === 'constructor') continue
  replace(subtle, {
    [name](this: unknown, ...args: unknown[]): unknown {
      const work = async (): Promise<unknown> => Reflect.apply(original, this, args)
      return theSimulation()?.outside.do(work) ?? work()
    },
  })
}
refuse(crypto, 'crypto', ['scrypt', 'pbkdf2', 'hkdf', 'argon2', 'generateKeyPair', 'generateKey', 'generatePrime'])
refuse(crypto, 'crypto', ['checkPrime', 'randomFill'])

/** The two that the product uses; they are carried out at once. */
const atOnce =
  (work: (data: Buffer, options?: object) => Buffer) =>
  (data: Buffer, options: unknown, done?: (error: null, result: Buffer) => void): void => {
    const call: unknown = typeof options === 'function' ? options : done
    const result = work(data, typeof options === 'object' && options !== null ? options : undefined)
    if (typeof call === 'function') process.nextTick(() => Reflect.apply(call, null, [null, result]))
  }
refuse(
  zlib,
  'zlib',
  Object.keys(zlib).filter((name) => `${name}Sync` in zlib || name.startsWith('create')),
)
replace(zlib, { brotliCompress: atOnce(zlib.brotliCompressSync), gzip: atOnce(zlib.gzipSync) })

/** Argon2 is slow on purpose and runs on threads. */
const quick = (text: unknown, salt: unknown = ''): Buffer =>
  createHash('sha256').update(String(text)).update(String(salt)).digest()
const PREFIX = '$argon2id$v=19$m=65536,t=3,p=1$'
const argon2: object = createRequire(import.meta.url)('@node-rs/argon2')
replace(argon2, {
  hash: (text: unknown) => Promise.resolve(PREFIX + quick(text).toString('base64')),
  verify: (stored: unknown, text: unknown) => Promise.resolve(stored === PREFIX + quick(text).toString('base64')),
  hashRaw: (text: unknown, options: { salt?: Buffer }) => Promise.resolve(quick(text, options.salt?.toString('hex'))),
})

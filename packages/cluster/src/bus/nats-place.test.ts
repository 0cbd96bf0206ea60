import { expect, test } from 'vitest'
import { natsPlaceOf } from './nats-place.ts'

test('an address gives servers without the password, and says who we are', () => {
  expect(natsPlaceOf('nats://me:p%40ss@one:4222, nats://two:4222')).toEqual({
    servers: ['nats://one:4222', 'nats://two:4222'],
    user: 'me',
    password: 'p@ss',
  })
  expect(natsPlaceOf('nats://one')).toEqual({ servers: ['nats://one'] })
  expect(natsPlaceOf('tls://one:4222')).toMatchObject({ tls: {} })
  expect(natsPlaceOf('tls://one:4222', '/ca.pem')).toMatchObject({ tls: { caFile: '/ca.pem' } })
})

import { beforeEach, expect, test } from 'vitest'
import { cookie } from './cookie.ts'
import { environmentOf } from './environment.ts'

const comparing = () => expect.hasAssertions()
beforeEach(comparing)

test('cookies are read by their whole name', () => {
  const all = 'adminEmail=a%40b.kr; email=c%40d.kr; diggerAdmin=true'
  expect(cookie('email', all)).toBe('c@d.kr')
  expect(cookie('diggerAdmin', all)).toBe('true')
  expect(cookie('Email', all)).toBeNull()
})

test.each([
  [{ ok: false, env: 'real' }, 'real'],
  [{ ok: true, env: 'elsewhere' }, null],
  [{ ok: true }, null],
  ['<html>', null],
  [null, null],
])('the health %j gives the environment %s', (health, env) => expect(environmentOf(health)).toBe(env))

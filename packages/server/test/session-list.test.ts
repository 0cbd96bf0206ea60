import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { problemIn } from './request.ts'
import { type Person, type ServerFixture } from './server-fixture.ts'
import { startFixture } from './shared-fixture.ts'

interface Listed {
  readonly id: string
  readonly current: boolean
  readonly device: string
}

let fixture: ServerFixture
let owner: Person

beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
})
afterEach(() => fixture[Symbol.asyncDispose]())

const list = async (cookie: string, user = 'user') =>
  (await fixture.call('GET', `/api/${user}/session`, { cookie })).json<Listed[]>()
const isIn = async (cookie: string) => (await fixture.call('GET', '/api/user/user', { cookie })).statusCode === 200

describe('where somebody is logged in', () => {
  test('is shown with its device, and one of it is ended at once', async () => {
    const other = await fixture.logIn(owner.email)
    const sessions = await list(owner.cookie)
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
    expect(sessions).toHaveLength(2)
    const ended = sessions.find(({ current }) => !current)?.id
    await fixture.call('DELETE', `/api/user/session/${ended}`, { cookie: owner.cookie })
    expect([await isIn(other), await isIn(owner.cookie)]).toEqual([false, true])
  })

  test('all others are ended at once, and this one stays', async () => {
    const others = [await fixture.logIn(owner.email), await fixture.logIn(owner.email)]
    const reply = await fixture.call('DELETE', '/api/user/session', { cookie: owner.cookie })
    expect(reply.json()).toEqual({ ended: 2 })
    expect(await Promise.all([owner.cookie, ...others].map(isIn))).toEqual([true, false, false])
  })

  test('is an administrator’s to end, and of nobody else', async () => {
    const boss = await fixture.addPerson('boss', true)
    const mate = await fixture.addPerson('mate')
    const [session] = await list(boss.cookie, owner.userId)
    const path = `/api/${owner.userId}/session`
    expect(problemIn(await fixture.call('DELETE', path, { cookie: mate.cookie }))).toBe('FORBIDDEN')
    // By its id it is none of the mate's own.
    await fixture.call('DELETE', `/api/user/session/${session?.id}`, { cookie: mate.cookie })
    expect(await isIn(owner.cookie)).toBe(true)
    await fixture.call('DELETE', path, { cookie: boss.cookie })
    expect([await isIn(owner.cookie), await isIn(boss.cookie), await isIn(mate.cookie)]).toEqual([false, true, true])
  })
})

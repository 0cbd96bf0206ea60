import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RemoteLive } from '../src/remote-live.ts'
import { Browser, LiveLinks } from './live-links.ts'

let links: LiveLinks
let gateway: RemoteLive
beforeEach(() => {
  links = new LiveLinks()
  gateway = links.gateway()
})
afterEach(() => links.close())

const many = (count: number): string[] => Array.from({ length: count }, (_, n) => `user${n}`)
const framesOf = (browsers: readonly Browser[]) => browsers.map(({ frames }) => frames)
const endedOf = (browsers: readonly Browser[]) => browsers.map(({ ended }) => ended)

/** Something of each of the users changes. */
const happen = (frame: string, ...userIds: string[]): void => {
  for (const userId of userIds) links.workers.one.happen(userId, frame)
}

/** All is well, or it would begin anew here: the gateway asks where the streams stand. */
async function askAgain(): Promise<void> {
  links.clock.advance(10_000)
  await links.settle()
}

test('frames of many users go in one message, a text that they share once, and each is written its own in order', async () => {
  const users = many(40)
  const browsers = await links.watch(gateway, ...users)
  happen('price 1', ...users)
  happen('only mine', 'user7')
  happen('price 2', ...users)
  happen('price 1', 'user7')
  await links.settle()
  expect(links.bus.published).toHaveLength(1)
  expect(links.bus.published[0]?.text.split('price 1')).toHaveLength(2)
  for (const [n, browser] of browsers.entries())
    expect(browser.frames).toEqual(n === 7 ? ['price 1', 'only mine', 'price 2', 'price 1'] : ['price 1', 'price 2'])
  await askAgain()
  expect(links.counters.live.resyncs).toBe(0)
})

test('many browsers are written to in turns of their own, and none that has left', async () => {
  const leaves = many(40).map((userId) => {
    links.workers.one.accounts.add(userId)
    const browser = new Browser()
    return { browser, ...gateway.join(userId, browser) }
  })
  await links.settle()
  happen('price', ...many(40))
  links.clock.advance(5)
  await Promise.resolve()
  const served = () => leaves.filter(({ browser }) => browser.frames.length === 1).length
  expect(served()).toBe(0)
  leaves[39]?.leave()
  await links.settle()
  expect([served(), leaves[39]?.browser.frames]).toEqual([39, []])
})

test('a gateway that does not keep up keeps no more than it can: browsers that miss something begin anew', async () => {
  const users = many(30)
  const browsers = await links.watch(gateway, ...users)
  for (let n = 0; n < 1_000; n += 1) happen('price', ...users)
  links.clock.advance(5)
  while (browsers.some(({ frames }) => frames.length < 600)) await links.settle()
  await askAgain()
  const written = framesOf(browsers).reduce((sum, frames) => sum + frames.length, 0)
  expect(written).toBeLessThan(21_000)
  expect(endedOf(browsers)).toEqual(users.map(() => true))
})

test('what is missed of one user disturbs no other', async () => {
  const browsers = await links.watch(gateway, 'a', 'b')
  links.wire.loses = () => true
  happen('lost', 'a')
  await links.settle()
  links.wire.loses = () => false
  happen('next', 'a', 'b')
  await links.settle()
  happen('last', 'a', 'b')
  await links.settle()
  expect(endedOf(browsers)).toEqual([true, false])
  expect(framesOf(browsers)).toEqual([[], ['next', 'last']])
  expect(links.counters.live.resyncs).toBe(1)
})

test('that the last frame was missed is noticed when the gateway asks again', async () => {
  const browsers = await links.watch(gateway, 'a', 'b')
  links.wire.loses = () => true
  happen('lost', 'a')
  await links.settle()
  links.wire.loses = () => false
  await askAgain()
  expect(endedOf(browsers)).toEqual([true, false])
})

test('where a stream stands is said between its frames, however they come', async () => {
  const [browser] = await links.watch(gateway, 'a')
  for (let n = 0; n < 5; n += 1) {
    happen(`before ${n}`, 'a')
    links.bus.comesBack()
    for (let hop = 0; hop < n; hop += 1) await Promise.resolve()
    happen(`after ${n}`, 'a')
  }
  await links.settle()
  expect(browser?.frames).toHaveLength(10)
  expect([browser?.ended, links.counters.live.resyncs]).toEqual([false, 0])
})

test('a thousand users of a worker are asked for with one question', async () => {
  await links.watch(gateway, ...many(1_000))
  await askAgain()
  expect(links.bus.requests).toEqual(['digger.watch.one'])
  expect(links.counters.live.resyncs).toBe(0)
})

test('a user who is watched at two gateways hears of it at both, and where nobody watches any more nothing is sent', async () => {
  const other = links.gateway()
  const [here] = await links.watch(gateway, 'a')
  const browser = new Browser()
  const { leave } = other.join('a', browser)
  await links.settle()
  happen('one', 'a')
  await links.settle()
  expect(framesOf([browser, ...(here ? [here] : [])])).toEqual([['one'], ['one']])
  leave()
  for (let asked = 0; asked < 4; asked += 1) await askAgain()
  links.bus.published.length = 0
  happen('two', 'a')
  await links.settle()
  expect([links.bus.published.length, here?.frames]).toEqual([1, ['one', 'two']])
  gateway.close()
  for (let asked = 0; asked < 4; asked += 1) await askAgain()
  expect(links.workers.one.sinks.size).toBe(0)
})

test('no message is near the megabyte that one may have; a frame that is too long makes its own user begin anew', async () => {
  const users = many(300)
  const browsers = await links.watch(gateway, ...users)
  const texts = users.map((userId) => `${userId} ${'가'.repeat(10_000)}`)
  for (const [n, userId] of users.entries()) happen(texts[n] ?? '', userId)
  happen('가'.repeat(200_001), 'user1')
  await links.settle()
  expect(links.bus.published.length).toBeGreaterThan(1)
  for (const { text } of links.bus.published) expect(Buffer.byteLength(text)).toBeLessThan(950_000)
  expect(framesOf(browsers)).toEqual(texts.map((text) => [text]))
  expect(browsers.filter(({ ended }) => ended)).toEqual([browsers[1]])
})

test('whoever takes the account over begins another stream, and the owner before is not heard', async () => {
  const [browser] = await links.watch(gateway, 'a')
  const { one, two } = links.workers
  one.accounts.delete('a')
  two.accounts.add('a')
  happen('of the owner before', 'a')
  await askAgain()
  expect([browser?.ended, browser?.frames]).toEqual([true, []])
  const [again] = await links.watch(gateway, 'a')
  two.happen('a', 'of the new one')
  happen('of the owner before', 'a')
  await askAgain()
  expect([again?.ended, again?.frames]).toEqual([false, ['of the new one']])
})

test('a question that nobody answers is asked again, and what changed meanwhile is read anew', async () => {
  const browser = new Browser()
  gateway.join('a', browser)
  await links.settle()
  links.workers.one.accounts.add('a')
  links.clock.advance(500)
  await links.settle()
  expect([links.workers.one.sinks.size, browser.ended]).toEqual([1, true])
  const [again] = await links.watch(gateway, 'a')
  happen('heard', 'a')
  await links.settle()
  expect(again?.frames).toEqual(['heard'])
})

test('while nobody answers the questions do not multiply', async () => {
  await links.watch(gateway, 'a', 'b')
  links.wire.isCut = true
  for (let tenth = 0; tenth < 300; tenth += 1) {
    links.clock.advance(100)
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => void setImmediate(resolve))
  }
  expect(links.bus.requests.length).toBeGreaterThan(40)
  expect(links.bus.requests.length).toBeLessThan(70)
})

test('a message of another version does no harm', async () => {
  const [browser] = await links.watch(gateway, 'a')
  happen('one', 'a')
  await links.settle()
  const subject = links.bus.published[0]?.subject ?? ''
  for (const text of ['not JSON', '{"frames":[["a",1]]}', '[]']) links.bus.publish(subject, Buffer.from(text))
  await expect(links.bus.request('digger.watch.one', Buffer.from('a'), 100)).rejects.toThrow('another version')
  happen('two', 'a')
  await links.settle()
  expect([browser?.ended, browser?.frames]).toEqual([false, ['one', 'two']])
})

test('a browser that does not keep up ends with the next frame, one that caught up does not', async () => {
  const { one } = links.workers
  one.accounts.add('a')
  const [slow, caughtUp] = [new Browser(), new Browser()]
  slow.reads = caughtUp.reads = false
  gateway.join('a', slow)
  const { drained } = gateway.join('a', caughtUp)
  await links.settle()
  happen('one', 'a')
  await links.settle()
  drained()
  happen('two', 'a')
  await links.settle()
  expect(endedOf([slow, caughtUp])).toEqual([true, false])
  expect(framesOf([slow, caughtUp])).toEqual([['one'], ['one', 'two']])
})

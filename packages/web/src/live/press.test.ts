import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { afterPress, letGo, watchPresses } from './press.ts'

let stop: () => void
/** The next picture, when the test says. */
let picture: () => void
const done: string[] = []
const work = (name: string) => afterPress(() => done.push(name))
const happen = (type: string) => window.dispatchEvent(new Event(type))

beforeEach(() => {
  vi.useFakeTimers()
  const { setTimeout, clearTimeout } = globalThis
  vi.stubGlobal('window', Object.assign(new EventTarget(), { setTimeout, clearTimeout }))
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => {
    picture = frame
  })
  done.length = 0
  stop = watchPresses()
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('work is done at once while nothing is pressed', () => {
  work('a')
  expect(done).toEqual(['a'])
})

test.each([
  ['pointerdown', 'pointerup'],
  ['pointerdown', 'pointercancel'],
  ['keydown', 'keyup'],
])('what comes between %s and %s waits for the picture after it, in order', (begin, end) => {
  happen(begin)
  work('a')
  happen(end)
  work('b')
  expect(done).toEqual([])
  // The click of a finger may come only now.
  picture()
  work('c')
  vi.advanceTimersByTime(0)
  expect(done).toEqual([])
  picture()
  vi.advanceTimersByTime(0)
  expect(done).toEqual(['a', 'b', 'c'])
  work('d')
  expect(done).toEqual(['a', 'b', 'c', 'd'])
})

test('who needs the newest has what waits done now', () => {
  happen('pointerdown')
  work('a')
  letGo()
  expect(done).toEqual(['a'])
})

test('one that fails costs only itself', () => {
  const reported: unknown[] = []
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error))
  happen('pointerdown')
  const error = new Error('of this one')
  afterPress(() => {
    throw error
  })
  work('b')
  letGo()
  expect([done, reported]).toEqual([['b'], [error]])
})

test('a finger that rests holds nothing up for longer than a moment', () => {
  happen('pointerdown')
  work('a')
  vi.advanceTimersByTime(399)
  expect(done).toEqual([])
  vi.advanceTimersByTime(1)
  work('b')
  expect(done).toEqual(['a', 'b'])
})

test('a key that is held, which presses again and again, neither', () => {
  for (let ms = 0; ms < 500; ms += 50) {
    happen('keydown')
    work(String(ms))
    vi.advanceTimersByTime(50)
  }
  expect(done).toContain('350')
})

test('a page in the background, which has no pictures, goes on as well', () => {
  happen('pointerdown')
  work('a')
  happen('pointerup')
  vi.advanceTimersByTime(400)
  expect(done).toEqual(['a'])
})

test('who has left the account gets nothing that waited', () => {
  happen('pointerdown')
  work('a')
  stop()
  vi.advanceTimersByTime(1_000)
  work('b')
  expect(done).toEqual(['b'])
})

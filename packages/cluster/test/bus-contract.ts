import { afterEach, describe, expect, test, vi } from 'vitest'
import { AnswerFailedError, type Bus, NoAnswerError, NobodyThereError } from '../src/bus/bus.ts'

const SOON = { timeout: 5_000, interval: 10 }
export const bytes = (text: string): Uint8Array => Buffer.from(text)
export const text = (data: Uint8Array): string => Buffer.from(data).toString()

/** What every bus promises. `make`: another one on the same line. */
export function describeBus(name: string, make: () => Promise<Bus>): void {
  let buses: Bus[] = []
  const two = async (): Promise<readonly [Bus, Bus]> => {
    const both = [await make(), await make()] as const
    buses.push(...both)
    return both
  }
  describe(`the bus ${name}`, () => {
    afterEach(async () => {
      await Promise.all(buses.map((bus) => bus.close()))
      buses = []
    })
    testQuestions(two)
    testNews(two)
  })
}

function testQuestions(open: () => Promise<readonly [Bus, Bus]>): void {
  test('a question finds who answers it, and the answer comes back', async () => {
    const [one, two] = await open()
    one.answer('call.a', async (data) => bytes(`received ${text(data)}`))
    await vi.waitFor(async () => expect(text(await two.request('call.a', bytes('x'), 1_000))).toBe('received x'), SOON)
  })

  test('what fails there is told here, in its words', async () => {
    const [one, two] = await open()
    one.answer('call.b', () => Promise.reject(new Error('no such account')))
    await vi.waitFor(
      () => expect(two.request('call.b', bytes('x'), 1_000)).rejects.toThrow(new AnswerFailedError('no such account')),
      SOON,
    )
  })

  test('nobody there is known at once, and differs from no answer', async () => {
    const [one, two] = await open()
    const began = performance.now()
    await expect(two.request('call.c', bytes('x'), 25_000)).rejects.toThrow(NobodyThereError)
    expect(performance.now() - began).toBeLessThan(12_500)
    const end = one.answer('call.c', () => new Promise(() => undefined))
    await vi.waitFor(() => expect(two.request('call.c', bytes('x'), 50)).rejects.toThrow(NoAnswerError), SOON)
    end()
    await vi.waitFor(() => expect(two.request('call.c', bytes('x'), 50)).rejects.toThrow(NobodyThereError), SOON)
  })
}

function testNews(open: () => Promise<readonly [Bus, Bus]>): void {
  test('news goes to everybody who wants it, by a whole subject or by a part', async () => {
    const [one, two] = await open()
    const received: string[] = []
    const end = two.subscribe('live.*', (data, subject) => received.push(`${subject} ${text(data)}`))
    one.subscribe('live.a', (data) => received.push(`own ${text(data)}`))
    await vi.waitFor(() => {
      one.publish('live.a', bytes('1'))
      expect(received).toEqual(expect.arrayContaining(['live.a 1', 'own 1']))
    }, SOON)
    end()
    one.publish('live.b', bytes('2'))
    one.publish('live.a.b', bytes('3'))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(received.filter((line) => /live.a.b|own 3/.test(line))).toEqual([])
  })
}

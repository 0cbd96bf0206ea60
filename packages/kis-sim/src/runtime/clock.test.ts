import { describe, expect, test } from 'vitest'
import { createClock } from './clock.ts'

describe('a clock moved by hand', () => {
  test('runs what falls due in time order, ties in the order of asking', async () => {
    const clock = createClock({ mode: 'manual', start: 1_000 })
    const ran: string[] = []
    const note = (name: string) => () => void ran.push(`${name}@${clock.now()}`)
    clock.after(20, note('c'))
    clock.after(10, note('a'))
    clock.after(10, note('b'))
    clock.after(31, note('late'))
    await clock.advance(30)
    expect(ran).toEqual(['a@1010', 'b@1010', 'c@1020'])
    expect(clock.now()).toBe(1_030)
  })

  test('timers that timers set run in the same advance when they fall due in it', async () => {
    const clock = createClock({ mode: 'manual', start: 0 })
    const ran: number[] = []
    const again = (): void => {
      ran.push(clock.now())
      clock.after(10, again)
    }
    clock.after(10, again)
    await clock.advance(35)
    expect(ran).toEqual([10, 20, 30])
  })

  test('a thousand timers in any order run sorted', async () => {
    const clock = createClock({ mode: 'manual', start: 0 })
    const ran: number[] = []
    for (let n = 0; n < 1_000; n++) clock.after((n * 7_919) % 997, () => void ran.push(clock.now()))
    await clock.advance(1_000)
    expect(ran).toHaveLength(1_000)
    expect(ran).toEqual(ran.toSorted((a, b) => a - b))
  })

  test('a timer called off never runs', async () => {
    const clock = createClock({ mode: 'manual', start: 0 })
    let ran = false
    clock.after(10, () => (ran = true))()
    await clock.advance(20)
    expect(ran).toBe(false)
  })

  test('steps to the next timer and runs it alone', async () => {
    const clock = createClock({ mode: 'manual', start: 0 })
    const ran: string[] = []
    clock.after(5_000, () => void ran.push('a'))
    clock.after(5_000, () => void ran.push('b'))
    expect(await clock.step()).toBe(true)
    expect([ran, clock.now()]).toEqual([['a'], 5_000])
    expect([await clock.step(), await clock.step()]).toEqual([true, false])
  })
})

describe('a clock that moves by itself', () => {
  test('runs timers at its own speed and cannot be pushed', async () => {
    const clock = createClock({ mode: 'real', speed: 1_000, start: 0 })
    const at = await new Promise<number>((resolve) => clock.after(20_000, () => resolve(clock.now())))
    expect(at).toBeGreaterThanOrEqual(20_000)
    await expect(clock.advance(1)).rejects.toThrow('moves by itself')
    clock.stop()
  })

  test('takes over from the current instant, and stops where it is', async () => {
    const clock = createClock({ mode: 'manual', start: 5_000 })
    const ran = new Promise<number>((resolve) => clock.after(1_000, () => resolve(clock.now())))
    clock.resume({ speed: 500 })
    expect(await ran).toBeGreaterThanOrEqual(6_000)
    clock.pause()
    const stood = clock.now()
    await clock.advance(10)
    expect(clock.now()).toBe(stood + 10)
  })
})

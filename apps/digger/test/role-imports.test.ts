import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The files that a fresh process loads for this one. */
function loadedBy(file: string): string {
  const path = JSON.stringify(join(import.meta.dirname, '../src', file))
  const script = `
    import { registerHooks } from 'node:module'
    const urls = []
    registerHooks({ load(url, context, next) { urls.push(url); return next(url, context) } })
    await import(${path})
    process.stdout.write(urls.join('\\n'))
    process.exit()`
  return execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], { encoding: 'utf8' })
}

test('one process for everything loads nothing of NATS, and a worker nothing of the pretend exchange', () => {
  const [all, worker] = [loadedBy('role-all.ts'), loadedBy('role-worker.ts')]
  expect(all).toContain('kis-sim')
  expect(all).not.toMatch(/@nats-io|nats-bus/)
  expect(worker).toMatch(/@nats-io/)
  expect(worker).not.toContain('kis-sim')
}, 120_000)

test('examining a real account loads nothing of the pretend exchange', () => {
  expect(loadedBy('doctor/doctor.ts')).toMatch(/packages\/doctor/)
  expect(loadedBy('doctor/doctor.ts')).not.toContain('kis-sim')
}, 120_000)

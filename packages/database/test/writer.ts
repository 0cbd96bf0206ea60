import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { openDatabase } from '../src/open.ts'

/** A process of its own with the embedded database in this folder, and the lines it prints, one by one. It ends with the test. */
export function startChild(dataDir: string, mode = 'hold', file = 'child.ts') {
  const child = spawn(process.execPath, [new URL(file, import.meta.url).pathname, dataDir, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
  })
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
}

/** Kills it amid its writing, once it has reported the commit with this number. Returns the last that it reported. */
export async function killedAfter(number: number, { child, lines }: ReturnType<typeof startChild>): Promise<number> {
  let reported = 0
  while (reported < number) reported = Number((await lines.next()).value)
  child.kill('SIGKILL')
  for await (const line of { [Symbol.asyncIterator]: () => lines }) reported = Number(line)
  return reported
}

/** Whether no commit that was reported is lost, at most one more is there, and none is torn. */
export async function keptAll(dataDir: string, reported: number): Promise<boolean> {
  const database = await openDatabase({ dataDir })
  const count = async (table: string) => (await database.pool.query(`select count(*) as n from ${table}`)).rows[0].n
  const [settings, failures] = [await count('server_setting'), await count('login_budget')]
  await database.close()
  return settings >= reported && settings <= reported + 1 && failures === settings
}

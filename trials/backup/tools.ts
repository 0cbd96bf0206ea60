import { fileURLToPath } from 'node:url'
import { Child } from '../crash/child.ts'

const TIMEOUT_MS = 240_000

const start = (name: string, args: readonly string[], env: NodeJS.ProcessEnv, logFile: string): Child =>
  new Child(fileURLToPath(new URL(`${name}.ts`, import.meta.resolve('@digger/app/main'))), args, env, logFile)

/** An operator's command, as a process of its own. Returns what it printed; throws where it fails. */
export async function runTool(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  logFile: string,
): Promise<string> {
  const tool = start(name, args, env, logFile)
  const code = await tool.exitCodeWithin(TIMEOUT_MS)
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${tool.output}`)
  return tool.output
}

/** Whether it is refused, in one line. */
export async function toolFailed(...[name, args, env, logFile]: Parameters<typeof runTool>): Promise<boolean> {
  const tool = start(name, args, env, logFile)
  const code = await tool.exitCodeWithin(TIMEOUT_MS)
  return code === 1 && tool.output.trim().split('\n').length === 1
}

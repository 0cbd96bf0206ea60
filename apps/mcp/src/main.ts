import type { Readable, Writable } from 'node:stream'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { DiggerApi } from './api.ts'
import { EnvironmentError, readPlace } from './environment.ts'
import { mcpServer } from './server.ts'
import { visibleLines } from './untrusted.ts'

export interface Streams {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
}

/** Serves an MCP client on these streams until it leaves. */
export function main(env: NodeJS.ProcessEnv, { stdin, stdout, stderr }: Streams): void {
  const api = new DiggerApi(readPlace(env))
  const lines = visibleLines()
  lines.pipe(stdout)
  serveStdio(() => mcpServer(api), {
    transport: new StdioServerTransport(stdin, lines),
    onerror: ({ name }) => void stderr.write(`MCP: ${name}\n`),
  })
}

if (import.meta.main) {
  try {
    main(process.env, process)
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

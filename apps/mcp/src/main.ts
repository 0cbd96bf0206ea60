import { pathToFileURL } from 'node:url'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { DiggerApi } from './api.ts'
import { EnvironmentError, readPlace } from './environment.ts'
import { mcpServer } from './server.ts'
import { visibleLines } from './untrusted.ts'

/** Serves an MCP client on standard input and output until it leaves. */
export function main(env: NodeJS.ProcessEnv): void {
  const api = new DiggerApi(readPlace(env))
  const lines = visibleLines()
  lines.pipe(process.stdout)
  serveStdio(() => mcpServer(api), {
    transport: new StdioServerTransport(process.stdin, lines),
    onerror: ({ name }) => void process.stderr.write(`MCP: ${name}\n`),
  })
}

const isProgram = process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href
if (isProgram) {
  try {
    main(process.env)
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

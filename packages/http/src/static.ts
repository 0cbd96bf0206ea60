import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { precompress } from './precompress.ts'
import { sendProblem } from './problem.ts'

/** Files whose name carries a hash of their content never change. */
const HASHED = /\/assets\/.+-[\w-]{8,}\.\w+/
const FOR_EVER = 'public, max-age=31536000, immutable'
const ASK_AGAIN = 'no-cache'
const SVG = 'image/svg+xml'

/** The built web client; a page address without a file is the client's own affair (index.html). */
export function serveClient(app: FastifyInstance, webDir: string | undefined): void {
  const index = webDir !== undefined && existsSync(join(webDir, 'index.html'))
  if (webDir !== undefined && index) {
    // Beside serving: until it is done files are compressed as they go.
    let squeezing: Promise<void> | undefined
    app.addHook('onReady', async () => {
      squeezing = precompress(webDir).catch((error: unknown) => app.log.warn({ err: error }, 'precompress failed'))
    })
    app.addHook('onClose', async () => squeezing)
    // To the library a picture is no text, and it has the last word where the file is compressed.
    app.addHook('onSend', (_request, reply, payload, done) => {
      if (reply.getHeader('content-type') === SVG) reply.header('content-type', `${SVG}; charset=utf-8`)
      done(null, payload)
    })
    app.register(fastifyStatic, {
      root: webDir,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => void reply.header('cache-control', HASHED.test(path) ? FOR_EVER : ASK_AGAIN),
    })
  }
  app.setNotFoundHandler((request, reply) => {
    if (isPage(request)) return index ? reply.sendFile(fileOf(request, webDir)) : noClient(reply)
    const path = request.url.split('?')[0]
    return sendProblem(reply, {
      code: 'NOT_FOUND',
      message: `없는 주소(${request.method} ${path})입니다. 주소를 확인해 주세요.`,
    })
  })
}

/** Asked for by a person's address bar, not by a script for data or a tag for a file. */
function isPage({ method, url, headers }: FastifyRequest): boolean {
  const path = url.split('?')[0] ?? ''
  if (method !== 'GET' && method !== 'HEAD') return false
  if (path === '/api' || path.startsWith('/api/') || /\.\w+$/.test(path)) return false
  return headers.accept === undefined || headers.accept.includes('text/html') || headers.accept.includes('*/*')
}

/** The pages before the log-in are finished ones; the client makes all others. */
const ENTRANCES = new Set(['/login', '/join'])

function fileOf({ url }: FastifyRequest, webDir: string): string {
  const path = url.split('?')[0] ?? ''
  const own = `${path.slice(1)}.html`
  return ENTRANCES.has(path) && existsSync(join(webDir, own)) ? own : 'index.html'
}

const noClient = (reply: FastifyReply): FastifyReply =>
  reply
    .code(503)
    .type('text/plain; charset=utf-8')
    .send('화면이 아직 만들어지지 않았습니다. npm run build를 한 뒤 서버를 다시 켜 주세요.\n')

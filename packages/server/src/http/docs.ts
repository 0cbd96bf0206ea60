import { readFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

/** OpenAPI made from the contract, with a page to read and try it, at /api/docs. */
export function serveDocs(app: FastifyInstance): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.0.3',
      info: {
        title: 'Digger API',
        version,
        description: '오류는 모두 {code, message}입니다. 경로의 {userId}에는 user(나) 또는 사용자 id를 씁니다.',
      },
      components: {
        securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'digger_session' } },
      },
      security: [{ session: [] }],
    },
  })
  app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: true })
}

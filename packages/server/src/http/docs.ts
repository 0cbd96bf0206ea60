import { Refused } from '@digger/contract'
import { readFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'
import { mayInspect } from './inspect.ts'

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

/** OpenAPI made from the contract, with a page to read and try it, at /api/docs: on this machine, or for administrators. */
export function serveDocs(app: FastifyInstance, services: Services): void {
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
  const refused = new Refused('FORBIDDEN', '권한이 없습니다. 서버가 있는 컴퓨터에서 열거나 관리자로 로그인해 주세요.')
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => {
      if (!(await mayInspect(services, request))) throw refused
    })
    scope.register(swaggerUi, { routePrefix: '/api/docs' })
  })
}

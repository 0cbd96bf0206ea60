export { ApiError, DiggerApi } from './api.ts'
export { EnvironmentError, readPlace } from './environment.ts'
export { mcpServer } from './server.ts'

/** A whole server for a test that kills it: folder, database, master key and the broker's addresses. Each line it reads names an administrator. */
import { createInterface } from 'node:readline'
import { setAdmin } from '@digger/identity'
import { readConfig } from '@digger/config'
import { createLogger } from '../src/log.ts'
import { NO_LIMITS } from '@digger/http'
import { UNLIMITED } from '@digger/kis'
import { createServer } from '../src/server.ts'

const [dataDir = '', databaseUrl = '', masterKey = '', restUrl = '', wsUrl = ''] = process.argv.slice(2)
const server = await createServer({
  config: readConfig({
    DATA_DIR: dataDir,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    MASTER_KEY_FILE: masterKey,
    PORT: '0',
  }),
  log: createLogger('fatal'),
  broker: { env: 'real', restUrl, wsUrl },
  hours: 'always',
  requestLimits: NO_LIMITS,
  rateLimits: UNLIMITED,
})
console.log(await server.listen())
for await (const email of createInterface(process.stdin)) console.log(await setAdmin(server.database.db, email, true))

import { openDatabase } from '../src/open.ts'

/** A process of its own for the tests of locks and kills: writes numbered rows and reports each commit. */
const [dataDir = '', mode] = process.argv.slice(2)

const database = await openDatabase({ dataDir, lockWaitMs: 300 }).catch((error: unknown) => {
  process.stdout.write(`refused ${error instanceof Error ? error.message : ''}\n`)
  return process.exit(3)
})
process.stdout.write('open\n')
if (mode === 'write') {
  const { pool } = database
  const { rows } = await pool.query<{ last: number }>('select count(*) as last from server_setting')
  for (let number = (rows[0]?.last ?? 0) + 1; ; number++) {
    await pool.query('begin')
    await pool.query('insert into server_setting values ($1, $2)', [`n${number}`, 'x'])
    await pool.query('insert into login_budget values ($1, 0)', [`n${number}`])
    await pool.query('commit')
    process.stdout.write(`${number}\n`)
  }
}
await database.failed

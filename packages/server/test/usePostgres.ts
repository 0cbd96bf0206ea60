import { inject } from 'vitest'
import type {} from './onPostgres.ts'

// In this project's workers only: the other tests stay on the embedded database.
process.env['DIGGER_TEST_POSTGRES'] = inject('postgres')

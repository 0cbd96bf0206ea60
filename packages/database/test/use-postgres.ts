import { inject } from 'vitest'

// This file runs in this project's workers only: the other tests stay on the embedded database.
process.env['DIGGER_TEST_POSTGRES'] = inject('postgres')

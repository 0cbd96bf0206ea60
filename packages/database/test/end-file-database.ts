import { afterAll } from 'vitest'
import { endShared } from './file-database.ts'

// Runs before each test file, so that it is after the last test of each.
afterAll(endShared)

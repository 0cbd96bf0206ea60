export { findPostgres } from '../../../scripts/programs/programs.mjs'

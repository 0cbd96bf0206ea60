/** The product, loaded after the simulation has taken Node's place. */
import './machine/install.ts'

const { readConfig } = await import('@digger/config')
const { createLogger, createServer } = await import('@digger/server')
const { verifyAccount } = await import('@digger/storage')
const { loadShadow, verifyShadow } = await import('@digger/shadow')
const { demoAccounts, startSim, UNIVERSE } = await import('@digger/kis-sim')
const { Pool, request } = await import('undici')

export const listings = UNIVERSE
export {
  createLogger,
  createServer,
  demoAccounts,
  loadShadow,
  Pool,
  readConfig,
  request,
  startSim,
  verifyAccount,
  verifyShadow,
}

/** The product, loaded after the simulation has taken Node's place. */
import '../machine/install.ts'

const { Member } = await import('@digger/cluster')
const { ACCOUNT_LIMITS, isTradingDay } = await import('@digger/core')
const { openDatabase, OwnedShards, shardOf } = await import('@digger/database')
const { Connector, Engine, SteadyClock, Timetables } = await import('@digger/engine')
const { demoCredentials, startSim, UNIVERSE } = await import('@digger/kis-sim')
const { storedStop } = await import('@digger/storage')

export const listings = UNIVERSE
export {
  ACCOUNT_LIMITS,
  Connector,
  demoCredentials,
  Engine,
  isTradingDay,
  Member,
  openDatabase,
  OwnedShards,
  shardOf,
  startSim,
  SteadyClock,
  storedStop,
  Timetables,
}

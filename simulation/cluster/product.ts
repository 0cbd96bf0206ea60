/** The product, loaded after the simulation has taken Node's place. */
import '../machine/install.ts'

const { Member } = await import('@digger/cluster')
const { openDatabase, OwnedShards, shardOf } = await import('@digger/database')
const { changesOf, Committer, loadOrCreate } = await import('@digger/storage')

export { changesOf, Committer, loadOrCreate, Member, openDatabase, OwnedShards, shardOf }

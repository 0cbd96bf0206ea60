import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { applyEdits } from '../mutated-copy.ts'
import { CLUSTER_MUTANTS, type ClusterMutant, isClusterMutant } from './mutants.ts'

const ROOT = pathToFileURL(`${resolve(import.meta.dirname, '../..')}/`).href
/** What is loaded anew for each mutant. The machine that the simulation stands on is there once. */
const MUTABLE = ['packages/', 'simulation/cluster/']
const QUERY = '?mutant='

/** Sources can be loaded with one promise left out from now on, beside what they are: under their address with `?mutant=…`. */
export function loadMutants(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      const [, name] = (context.parentURL ?? '').split(QUERY)
      const isMutable = MUTABLE.some((folder) => found.url.startsWith(ROOT + folder)) && !found.url.includes(QUERY)
      return name === undefined || !isMutable ? found : { ...found, url: found.url + QUERY + name }
    },
    load(url, context, next) {
      const loaded = next(url, context)
      const [file = '', name] = url.split(QUERY)
      return name !== undefined && isClusterMutant(name) ? { ...loaded, source: edited(file, name) } : loaded
    },
  })
}

function edited(url: string, mutant: ClusterMutant): string {
  const edits = CLUSTER_MUTANTS[mutant].edits.filter(({ file }) => url === ROOT + file)
  const result = applyEdits(readFileSync(fileURLToPath(url), 'utf8'), edits)
  if ('notFoundOnce' in result) throw new Error(`${url} does not have once: ${result.notFoundOnce.from}`)
  return result.text
}

/** The run of seeds, on the product as it is or with one promise left out. */
export const runOf = async (mutant: ClusterMutant | null): Promise<typeof import('./run.ts')> =>
  import(mutant === null ? './run.ts' : `./run.ts${QUERY}${mutant}`)

import { dirname, join } from 'node:path/posix'
import { findCycles, importsOf, isTest, perFile, type Rule, type SourceFile } from './architecture.ts'

/** Floors of the web client, lowest first. Folders of one floor are neighbours: they do not import each other. */
const WEB_FLOORS: readonly (readonly string[])[] = [
  // Texts, days, dialogs as promises, the time, the exchange's hours.
  ['style', 'format', 'ask', 'clock', 'market'],
  // What the address says; calls and the cache of their replies.
  ['url', 'api'],
  // What every page shares: live events, the viewer, the stops, and components that know no topic.
  ['live', 'viewer', 'stops', 'components'],
  // How its person proves who they are, wherever that is asked.
  ['prove'],
  // Tasks that outlive their page.
  ['work'],
  ['features'],
  ['app'],
]
const WEB = /^packages\/web\/src\/(?:([^/]+)\/)?[^/]/
/** Files directly in src start the client: they may import everything. */
const ENTRY_FLOOR = WEB_FLOORS.length
const webFolder = (path: string): string | undefined => WEB.exec(path)?.[1]
const floorOf = (folder: string | undefined): number =>
  folder === undefined ? ENTRY_FLOOR : WEB_FLOORS.findIndex((floor) => floor.includes(folder))

/** Every folder of the web client has a floor, and imports only go down. */
export const webFloors: Rule = perFile(({ path, text }) => {
  if (!WEB.test(path)) return []
  const own = webFolder(path)
  const floor = floorOf(own)
  if (floor < 0) return [`folder ${own} has no floor: give it one in scripts/folders.ts`]
  return importsOf(text).flatMap((name) => {
    const target = join(dirname(path), name)
    if (!name.startsWith('.') || !WEB.test(target)) return []
    const other = webFolder(target)
    if (other === own || (other !== undefined && floorOf(other) < floor)) return []
    return [`${own ?? 'the entry'} must not import ${name}: imports only go down the floors of scripts/folders.ts`]
  })
})

const featureOf = (path: string): string | undefined => /^packages\/web\/src\/features\/([^/]+)\//.exec(path)?.[1]
export const featuresApart: Rule = perFile(({ path, text }) => {
  const own = featureOf(path)
  if (own === undefined) return []
  return importsOf(text).flatMap((name) => {
    const other = name.startsWith('.') ? featureOf(join(dirname(path), name)) : undefined
    if (other === undefined || other === own) return []
    return [`feature ${own} must not import feature ${other}: what both need belongs below the features`]
  })
})

/** The package, and in it the first folder under src (trials, simulation and bench have none); a file beside the folders is its own. */
export const nodeOf = (path: string): { owner: string; node: string } | undefined => {
  const [, source, top, node] =
    /^(?:((?:packages|apps)\/[^/]+)\/src|(trials|simulation|bench))\/([^/]+)/.exec(path) ?? []
  const owner = source ?? top
  return owner === undefined || node === undefined ? undefined : { owner, node }
}

/** Imports from one node to another of the same package. */
export const arrowsOf = ({ path, text }: SourceFile) => {
  const from = nodeOf(path)
  if (from === undefined || isTest(path)) return []
  return importsOf(text).flatMap((name) => {
    const to = name.startsWith('.') ? nodeOf(join(dirname(path), name)) : undefined
    if (to?.owner !== from.owner || to.node === from.node) return []
    return [{ owner: from.owner, from: from.node, to: to.node, text: `${path} imports ${name}` }]
  })
}

/** No circle between the folders of a package, though no two files import each other. Tests may put parts together. */
export const folderCycles =
  (exempt: readonly string[] = []): Rule =>
  (files) => {
    const owners = Map.groupBy(files.flatMap(arrowsOf), ({ owner }) => owner)
    return [...owners].flatMap(([owner, arrows]) => {
      if (exempt.includes(owner)) return []
      const nodes = Map.groupBy(arrows, ({ from }) => from)
      const next = (node: string) => [...new Set(nodes.get(node)?.map(({ to }) => to))]
      return findCycles([...nodes.keys()], next).map((circle) => {
        const ways = circle
          .slice(1)
          .map((to, at) => nodes.get(circle[at] ?? '')?.find((arrow) => arrow.to === to)?.text)
        return `${owner}: folder cycle ${circle.join(' → ')} (${ways.join('; ')})`
      })
    })
  }

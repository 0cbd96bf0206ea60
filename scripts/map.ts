import { importsOf, isTest, packageOf, type Rule, type SourceFile } from './architecture.ts'
import { arrowsOf, nodeOf } from './folders.ts'

/** One thing imports another: a package, or a folder within one. */
interface Import {
  readonly from: string
  readonly to: string
}
export interface Arrow {
  readonly to: string
  /** Imports that go this way. */
  readonly count: number
  /** Against the direction of all others: it closes a circle. */
  readonly back: boolean
}
export interface Room {
  readonly name: string
  readonly lines: number
  /** 0 imports no neighbour; every other stands one above the highest it imports. */
  readonly floor: number
  readonly arrows: readonly Arrow[]
}
export interface Storeys {
  readonly title: string
  readonly rooms: readonly Room[]
}

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function storeys(title: string, sizes: ReadonlyMap<string, number>, imports: readonly Import[]): Storeys {
  const counts = new Map([...sizes.keys()].map((name) => [name, new Map<string, number>()]))
  for (const { from, to } of imports) {
    const row = counts.get(from)
    if (row && sizes.has(to)) row.set(to, (row.get(to) ?? 0) + 1)
  }
  const floors = new Map<string, number>()
  const back = new Set<string>()
  const visit = (name: string, trail: readonly string[]): number => {
    const known = floors.get(name)
    if (known !== undefined) return known
    let floor = 0
    for (const to of [...(counts.get(name)?.keys() ?? [])].toSorted(byName)) {
      if (to === name || trail.includes(to)) back.add(`${name} ${to}`)
      else floor = Math.max(floor, visit(to, [...trail, name]) + 1)
    }
    floors.set(name, floor)
    return floor
  }
  for (const name of [...sizes.keys()].toSorted(byName)) visit(name, [])
  const rooms = [...sizes].map(([name, lines]) => ({
    name,
    lines,
    floor: floors.get(name) ?? 0,
    arrows: [...(counts.get(name) ?? [])]
      .map(([to, count]) => ({ to, count, back: back.has(`${name} ${to}`) }))
      .toSorted((a, b) => byName(a.to, b.to)),
  }))
  return { title, rooms: rooms.toSorted((a, b) => b.floor - a.floor || byName(a.name, b.name)) }
}

const linesOf = ({ text }: SourceFile): number => text.trimEnd().split('\n').length
function addUp(files: readonly SourceFile[], nameOf: (file: SourceFile) => string | undefined): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const file of files) {
    const name = nameOf(file)
    if (name !== undefined) sizes.set(name, (sizes.get(name) ?? 0) + linesOf(file))
  }
  return sizes
}

/** The packages, then the folders of each, drawn from the imports. Tests put parts together as they like: not counted. */
export function mapOf(files: readonly SourceFile[]): Storeys[] {
  const source = files.filter(({ path }) => !isTest(path))
  const between = source.flatMap(({ path, text }) => {
    const from = packageOf(path)
    return importsOf(text).flatMap((name) => {
      const to = /^@digger\/([^/]+)/.exec(name)?.[1]
      return from === undefined || to === undefined || to === from ? [] : [{ from, to }]
    })
  })
  const packages = addUp(source, ({ path }) => packageOf(path))
  const within = Map.groupBy(source.flatMap(arrowsOf), ({ owner }) => owner)
  const owners = Map.groupBy(source, ({ path }) => nodeOf(path)?.owner)
  const folders = [...owners].flatMap(([owner, own]) => {
    if (owner === undefined) return []
    const sizes = addUp(own, ({ path }) => nodeOf(path)?.node)
    return [storeys(owner, sizes, within.get(owner) ?? [])]
  })
  return [storeys('packages', packages, between), ...folders.toSorted((a, b) => byName(a.title, b.title))]
}

const backArrows = (map: readonly Storeys[]) =>
  map.flatMap(({ title, rooms }) =>
    rooms.flatMap(({ name, arrows }) => arrows.filter(({ back }) => back).map(({ to }) => ({ title, name, to }))),
  )

/** Every import goes down the floors of the map. */
export const backUp: Rule = (files) =>
  backArrows(mapOf(files)).map(
    ({ title, name, to }) => `${title}: ${name} imports ${to}, which already needs ${name}: an arrow back up`,
  )

const UP = '▲'
const NUMBER = new Intl.NumberFormat('en-US')

/** As text, highest floor first. */
export function drawMap(map: readonly Storeys[]): string {
  const drawn = map.map(({ title, rooms }) => {
    const width = Math.max(...rooms.map(({ name }) => name.length))
    const lines = rooms.reduce((sum, room) => sum + room.lines, 0)
    const rows = rooms.map(({ name, lines: own, floor, arrows }) => {
      const ways = arrows.map(({ to, count, back }) => `${back ? `${UP} ` : ''}${to} ${count}`).join(' · ')
      const row = `  ${String(floor).padStart(2)}  ${name.padEnd(width)}  ${NUMBER.format(own).padStart(6)}`
      return ways === '' ? row : `${row}  → ${ways}`
    })
    const floors = Math.max(...rooms.map(({ floor }) => floor)) + 1
    return [`${title}: ${NUMBER.format(lines)} lines, floors 0–${floors - 1}`, ...rows].join('\n')
  })
  const back = backArrows(map)
  const found = back.map(({ title, name, to }) => `${UP} ${title}: ${name} → ${to}`)
  return [
    ...drawn,
    back.length === 0 ? 'No arrow back up, no circle.' : `Arrows back up: ${back.length}\n${found.join('\n')}`,
  ].join('\n\n')
}

import { dirname, join } from 'node:path/posix'
import { ARROWS } from './arrows.ts'

/** A file of the repository: path from the root, text as it is. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** Each rule names what it found and what to do, one line per offence; no line means the rule holds. */
export type Rule = (files: readonly SourceFile[]) => string[]

export const perFile =
  (check: (file: SourceFile) => string[]): Rule =>
  (files) =>
    files.flatMap((file) => check(file).map((text) => `${file.path}: ${text}`))

/** Comments may speak of anything; only code counts. */
export const code = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1')

export const isTest = (path: string): boolean => /\.(?:test|prove)\.tsx?$|\/test\//.test(path)
/** By the name it is imported by: `@digger/…`. */
export function packageOf(path: string): string | undefined {
  if (path.startsWith('apps/digger/')) return 'app'
  if (path.startsWith('apps/watcher/')) return 'watcher'
  if (path.startsWith('apps/mcp/')) return 'mcp'
  return /^(?:packages\/([^/]+)|(trials|simulation|bench))\//
    .exec(path)
    ?.slice(1)
    .find((name) => name !== undefined)
}

/** What static imports, re-exports and dynamic imports name. */
export function importsOf(text: string): string[] {
  const found = code(text).matchAll(
    /(?:^|[;\n])\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|(?<!['"])\bimport\s*\(?\s*['"]([^'"]+)['"]/g,
  )
  return [...found].map((match) => match[1] ?? match[2] ?? '')
}

const mayTestWithTheSim = (path: string): boolean =>
  isTest(path) && /^packages\/(?:candles|doctor|engine|kis|server)\//.test(path)
const mayTestWithAServer = (path: string): boolean => isTest(path) && /^apps\/(?:watcher|mcp)\//.test(path)

/** How a judge says that it could not look: one way for all of them. */
const NOT_RUN = 'scripts/not-run.ts'

export const arrows: Rule = perFile(({ path, text }) => {
  const own = packageOf(path)
  if (own === undefined) return []
  const allowed = ARROWS[own]
  if (!allowed) return [`package ${own} has no place in the house: add its arrows to scripts/architecture.ts`]

  return importsOf(text).flatMap((name) => {
    if (name.startsWith('.')) {
      const file = join(dirname(path), name)
      return packageOf(file) === own || file === NOT_RUN
        ? []
        : [`imports ${name}, which leaves the package: import another package by its name`]
    }
    const ours = /^@digger\/([^/]+)/.exec(name)?.[1]
    if (ours === undefined || ours === own || allowed.includes(ours)) return []
    if (ours === 'kis-sim' && mayTestWithTheSim(path)) return []
    if (mayTestWithAServer(path)) return []
    return [`${own} must not import ${ours} (allowed: ${allowed.join(', ') || 'nothing of ours'})`]
  })
})

/** Core imports nothing at all, the contract nothing but zod. Tests bring their tools. */
export const bareness: Rule = perFile(({ path, text }) => {
  const own = packageOf(path)
  const only = own === 'core' ? [] : own === 'contract' ? ['zod'] : null
  if (only === null || isTest(path)) return []
  return importsOf(text)
    .filter((name) => !name.startsWith('.') && !only.includes(name))
    .map((name) => `${own} imports ${name}: it may import ${only.join(', ') || 'nothing from outside'}`)
})

/** When exchanges are open the pretend broker has from tables of its own: ours may be wrong. */
const HOURS = /\/(?:calendar|session|route)\.ts$/

/** Of core, the pretend broker knows the market only: judging orders by our own rules would prove nothing. */
export const simKnowsTheMarketOnly: Rule = (files) => {
  const market = files.filter(
    ({ path }) => path.startsWith('packages/core/src/krx/') && !isTest(path) && !HOURS.test(path),
  )
  const names = new Set(
    market.flatMap(({ text }) =>
      [...text.matchAll(/^export (?:const|function|interface|type|class) (\w+)/gm)].map((match) => match[1]),
    ),
  )
  return perFile(({ path, text }) =>
    packageOf(path) !== 'kis-sim' || isTest(path)
      ? []
      : [...text.matchAll(/import (?:type )?\{([^}]*)\} from '@digger\/core'/g)]
          .flatMap((match) => (match[1] ?? '').split(','))
          .map(
            (part) =>
              part
                .replace(/^\s*type\s/, '')
                .split(' as ')[0]
                ?.trim() ?? '',
          )
          .filter((name) => name !== '' && !names.has(name))
          .map((name) => `imports ${name} of core, which is not from krx/ or is about its hours`),
  )(files)
}

/** Circles of relative imports, each reported once. */
export const cycles: Rule = (files) => {
  const known = new Map(files.map(({ path, text }) => [path, text]))
  const next = (path: string) =>
    importsOf(known.get(path) ?? '')
      .filter((name) => name.startsWith('.'))
      .map((name) => join(dirname(path), name))
      .filter((target) => known.has(target))
  return findCycles([...known.keys()], next).map((circle) => `import cycle: ${circle.join(' → ')}`)
}

/** Circles along `next`, each reported once, from its first node back to it. */
export function findCycles(nodes: readonly string[], next: (node: string) => readonly string[]): string[][] {
  const done = new Set<string>()
  const found: string[][] = []
  const visit = (node: string, trail: readonly string[]): void => {
    const start = trail.indexOf(node)
    if (start >= 0) found.push([...trail.slice(start), node])
    if (start >= 0 || done.has(node)) return
    for (const target of next(node)) visit(target, [...trail, node])
    done.add(node)
  }
  for (const node of nodes) visit(node, [])
  return found
}

/** The rules run live, in the simulation and in back-tests alike: nothing in them may look at the world or wait. */
const WORLD =
  /\bnode:|\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|\bprocess\.|\bconsole\.|\basync\b|\bawait\b|\bset(?:Timeout|Interval)\b|\bfetch\(|\bperformance\./
export const corePurity: Rule = perFile(({ path, text }) => {
  if (!path.startsWith('packages/core/src/') || isTest(path)) return []
  const found = WORLD.exec(code(text))
  return found ? [`"${found[0]}" in core: pass it in as an argument instead`] : []
})

export const MAX_LINES = 300
/** About eight is the habit; past this, one file knows too much. */
export const MAX_IMPORTS = 15
export const houseNumbers: Rule = perFile(({ path, text }) => {
  const lines = text.trimEnd().split('\n').length
  const imports = importsOf(text).length
  return [
    ...(lines > MAX_LINES ? [`${lines} lines, at most ${MAX_LINES}: split it by what it is about`] : []),
    ...(imports > MAX_IMPORTS && !path.endsWith('/index.ts')
      ? [`${imports} imports, at most ${MAX_IMPORTS}: it does too much`]
      : []),
  ]
})

export const names: Rule = perFile(({ path }) => {
  const vague = path.split('/').find((part) => /^(utils?|helpers?|common|misc|shared)(\.|$)/i.test(part))
  const strayIndex = /\/index\.tsx?$/.test(path) && !/^(?:packages|apps)\/[^/]+\/src\/index\.ts$/.test(path)
  return [
    ...(vague ? [`"${vague}" says nothing: name it after what it is about`] : []),
    ...(strayIndex ? ['one index.ts per package: inside it, import the file itself'] : []),
  ]
})

/** Whoever makes a connection to PostgreSQL by hand forgets to listen to its end, and that ends the process. */
export const listenedConnections: Rule = perFile(({ path, text }) => {
  if (path === 'packages/database/src/connections.ts' || !importsOf(text).includes('pg')) return []
  const made = /\bnew (?:Client|Pool)\(/.exec(code(text))
  return made ? [`"${made[0]}": take poolOf or clientOf of packages/database/src/connections.ts`] : []
})

/** Sought in code only: comments may say "any". */
const ESCAPE = /(?::|\bas|<)\s*any\b/
const BANNED: readonly (readonly [RegExp, string])[] = [
  [/@ts-(?:ignore|nocheck|expect-error)/, 'a silenced type error'],
  [/(?:ox|es)lint-disable|biome-(?:ignore)/, 'a silenced lint rule'],
  [/\b(?:TO(?:DO)|FIX(?:ME)|X(?:XX)|HA(?:CK))\b/, 'an unfinished mark'],
  // With a condition and a reason a skip says when the test does run; that form stays.
  [/\b(?:test|it|describe)\.(?:(?:only|todo|fixme|fails?)\b|skip(?:\.each|\(\s*['"`]))/, 'a test that does not run'],
]
/** Here tests must fail: a red one is one that passes. */
const MUST_FAIL = 'e2e/coverage.spec.ts'
export const bannedMarks: Rule = perFile(({ path, text: whole }) => {
  const text = path === MUST_FAIL ? whole.replaceAll(/\btest\.(?=fail\()/g, '') : whole
  const escape = ESCAPE.exec(code(text))
  return [
    ...(escape ? [`"${escape[0]}": an escape from the types`] : []),
    ...BANNED.flatMap(([mark, what]) => {
      const found = mark.exec(text)
      return found ? [`"${found[0]}" on line ${text.slice(0, found.index).split('\n').length}: ${what}`] : []
    }),
  ]
})

const PAGES: readonly (readonly [RegExp, number])[] = [
  [/^README\.md$/, 120],
  [/^docs\/decisions\/.*\.md$/, 60],
]
export const shortPages: Rule = perFile(({ path, text }) => {
  const lines = text.trimEnd().split('\n').length
  return PAGES.filter(([page, max]) => page.test(path) && lines > max).map(
    ([, max]) => `${lines} lines, at most ${max}`,
  )
})

/** Files and folders named in `…` on a page exist; a placeholder (`<topic>`, `NNN`) names its folder only. */
export const namedPaths =
  (exists: (path: string) => boolean): Rule =>
  (files) =>
    perFile(({ text }) =>
      [...text.matchAll(/`((?:packages|apps|trials|scripts|docs|e2e|bench)\/[^`\s]*)`/g)]
        .map((match) => (match[1] ?? '').replace(/[^/]*(?:[<*…{]|NNN).*$/, ''))
        .filter((path) => !exists(path))
        .map((path) => `names ${path}, which does not exist`),
    )(files)

/**
 * An address would tie every install to one registry. A platform package that could not be resolved when the lock was
 * written is left out of it silently, and then npm ci refuses the whole file.
 */
export const lockFile: Rule = perFile(({ path, text }) => {
  if (path !== 'package-lock.json') return []
  const lock: { packages: Record<string, { optionalDependencies?: Record<string, string> }> } = JSON.parse(text)
  const missing = Object.entries(lock.packages).flatMap(([owner, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !lock.packages[`node_modules/${name}`] && !lock.packages[`${owner}/node_modules/${name}`],
    ),
  )
  return [
    ...(/"resolved": "https?:/.test(text)
      ? ['holds download addresses: npm install with omit-lockfile-registry-resolved=true']
      : []),
    ...missing.map((name) => `lacks ${name}: choose a version that exists for every platform, and write the lock anew`),
  ]
})

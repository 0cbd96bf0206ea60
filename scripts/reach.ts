// What a change can reach: the tests whose imports, or the programs they start, lead to a changed file. Names that come through
// a package's index are followed to the file that defines them, so that a change of one file is not a change of its package.
import { dirname, join } from 'node:path/posix'
import { code, isTest, type SourceFile } from './architecture.ts'

export interface Reached {
  /** Files of unit tests. */
  readonly unit: readonly string[]
  /** Files of browser tests. */
  readonly browser: readonly string[]
}

/** What every test stands on. */
const FOR_ALL =
  /^(?:package(?:-lock)?\.json|vitest\.config\.ts|tsconfig.*|\.npmrc|packages\/database\/(?:test|src\/migrations)\/|scripts\/programs\/)/
/** These read the whole tree. */
const READS_TREE = 'scripts/sources.ts'
/** A change of the server alone is asked of these walks through the whole product; unit tests ask the rest. */
const WALKS = new Set(['e2e/walk.spec.ts', 'e2e/sign-up.spec.ts', 'e2e/trade.spec.ts'])
const PRODUCT = 'e2e/product.ts'
const WEB = 'packages/web/src/main.tsx'

/** What everything stands on reaches everything: so many files of other packages are run, the rest when all is. */
const MAX_OTHERS = { unit: 100, browser: 3 } as const

/** The package, or the folder of the root; the client's browser tests are its own. */
function homeOf(path: string): string {
  const [first = '', second] = path.split('/')
  if (first === 'e2e') return 'packages/web'
  return first === 'packages' || first === 'apps' ? `${first}/${second}` : first
}

const isUnit = (path: string): boolean => /\.test\.tsx?$/.test(path)
const isBrowser = (path: string): boolean => /^e2e\/.*\.spec\.ts$/.test(path)

/** `import { a, type B as C } from './d.ts'`, and without names. */
const FROM = /(?:^|[;\n])\s*(?:import|export)\b\s*(?:type\s+)?([^'"`;]*?)\bfrom\s*['"]([^'"]+)['"]/g
const BARE = /\bimport\s*\(?\s*['"]([^'"]+)['"]/g
const PAGE = /['"](\/[^'"]*)['"]: lazyPage\(\(\) => import\(['"]([^'"]+)['"]\)/g

interface Link {
  readonly names: readonly string[] | 'all'
  readonly from: string
}

function linksOf(text: string): Link[] {
  const plain = code(text)
  const links = [...plain.matchAll(FROM)].map(([, names = '', from = '']): Link => {
    const listed = /^\{([\s\S]*)\}\s*$/.exec(names.trim())?.[1]
    if (listed === undefined) return { names: 'all', from }
    const each = listed.split(',').map(
      (name) =>
        name
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)[0] ?? '',
    )
    return { names: each.filter((name) => name !== ''), from }
  })
  return [...links, ...[...plain.matchAll(BARE)].map(([, from = '']): Link => ({ names: 'all', from }))]
}

/** Quoted text that names a file: a program that is started, a text that is read. */
const literalsOf = (text: string): string[] =>
  [...code(text).matchAll(/['"`]([\w@.+/-]*\.\w+)['"`]/g)].map(([, path = '']) => path)

export class Reach {
  readonly #texts: ReadonlyMap<string, string>
  readonly #entries: ReadonlyMap<string, string>
  readonly #edges = new Map<string, readonly string[]>()
  readonly #pages: readonly (readonly [RegExp, string])[]

  /** @param files every file of the repository with its path from the root; `entries`: what packages are imported by, `@digger/core` and `@digger/engine/testing`, each with its file */
  constructor(files: readonly SourceFile[], entries: ReadonlyMap<string, string>) {
    this.#texts = new Map(files.map(({ path, text }) => [path, text]))
    this.#entries = entries
    this.#pages = files
      .filter(({ path }) => /^packages\/web\/src\/app\/\w*[pP]ages\.ts$/.test(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(PAGE)].map(([, route = '', file = '']) => {
          const pattern = route.replaceAll(/[:{]\w+\}?/g, '[^/]+')
          return [new RegExp(`^/\\w+${pattern}$`), join(dirname(path), file)] as const
        }),
      )
  }

  /** The tests that changed files reach: all of the same package, and of others the nearest, counted in imports. */
  of(changed: ReadonlySet<string>): Reached {
    const all = [...this.#texts.keys()]
    const everything = [...changed].some((path) => FOR_ALL.test(path))
    const loose = [...changed].filter((path) => !/\.(?:[cm]?tsx?|mjs)$/.test(path))
    const distance = (test: string): number => {
      const from = this.#from(test)
      // Texts that no code names are read by whoever is beside them.
      if (everything || from.has(READS_TREE) || loose.some((path) => homeOf(path) === homeOf(test))) return 0
      return Math.min(...[...changed].map((path) => from.get(path) ?? Infinity))
    }
    const homes = new Set([...changed].map(homeOf))
    const reached = (tests: readonly string[], others: number): string[] => {
      const found = tests.map((test) => ({ test, away: distance(test) })).filter(({ away }) => away < Infinity)
      const isNear = ({ test, away }: (typeof found)[number]): boolean => away === 0 || homes.has(homeOf(test))
      const near = found.filter(isNear)
      const nearest = found
        .filter((one) => !isNear(one))
        .toSorted((a, b) => a.away - b.away)
        .slice(0, others)
      return [...near, ...nearest].map(({ test }) => test)
    }
    return {
      unit: reached(all.filter(isUnit), MAX_OTHERS.unit),
      browser: reached(all.filter(isBrowser), MAX_OTHERS.browser),
    }
  }

  /** What a test stands on, and how many imports away. */
  #from(test: string): Map<string, number> {
    const seen = new Map<string, number>([[test, 0]])
    if (isBrowser(test)) for (const path of this.#shownBy(test)) seen.set(path, 1)
    // A map goes on to what is added while it is walked.
    for (const [path, away] of seen) {
      if (isBrowser(test) && path === PRODUCT && !WALKS.has(test)) continue
      for (const next of this.#edgesOf(path)) if (!seen.has(next)) seen.set(next, away + 1)
    }
    return seen
  }

  /** The client, and the pages whose addresses a browser test names. */
  #shownBy(test: string): string[] {
    const text = this.#texts.get(test) ?? ''
    const named = [...text.matchAll(/['"`](\/[\w${}./-]*)/g)].map(([, path = '']) => path)
    const shown = this.#pages.filter(([pattern]) => named.some((path) => pattern.test(path)))
    return [WEB, ...shown.map(([, file]) => file)]
  }

  #edgesOf(path: string): readonly string[] {
    const known = this.#edges.get(path)
    if (known !== undefined) return known
    const text = this.#texts.get(path) ?? ''
    // Pages are loaded when somebody goes there.
    const isMenu = this.#pages.length > 0 && /^packages\/web\/src\/app\/\w*[pP]ages\.ts$/.test(path)
    const links = linksOf(isMenu ? text.replaceAll(PAGE, '') : text)
    const edges = links.flatMap((link) => this.#targets(path, link))
    const started = isTest(path) || !path.startsWith('packages/') ? literalsOf(text) : []
    const files = started.flatMap((name) => [join(dirname(path), name), join('.', name)])
    const found = [...new Set([...edges, ...files.filter((file) => this.#texts.has(file))])]
    this.#edges.set(path, found)
    return found
  }

  /** The files that an import leads to. */
  #targets(path: string, { names, from }: Link): string[] {
    const file = from.startsWith('.') ? join(dirname(path), from.replace(/\?.*$/, '')) : this.#entries.get(from)
    if (file === undefined || !this.#texts.has(file)) return []
    if (names === 'all' || from.startsWith('.')) return [file]
    return names.flatMap((name) => this.#definer(file, name) ?? file)
  }

  /** Where a name that an index hands on is defined; undefined where that cannot be seen. */
  #definer(index: string, name: string): string | undefined {
    for (const { names, from } of linksOf(this.#texts.get(index) ?? '')) {
      if (names === 'all' || !names.includes(name)) continue
      const file = from.startsWith('.') ? join(dirname(index), from) : undefined
      return file
    }
    return undefined
  }
}

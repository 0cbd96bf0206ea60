import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const SRC = `${import.meta.dirname}/../`
const read = (path: string): string => readFileSync(SRC + path, 'utf8')

/** Style sheet → class names that the modules importing it use. Types know neither: they take any name for a class. */
const used = new Map<string, Set<string>>()
const missing: string[] = []
for (const path of globSync('**/*.tsx', { cwd: SRC })) {
  const text = read(path)
  const sheet = /import css from '([^']+\.module\.css)'/.exec(text)?.[1]
  if (sheet === undefined) continue
  const target = join(dirname(path), sheet)
  if (!existsSync(SRC + target)) missing.push(`${path}: ${sheet}`)
  const names = used.get(target) ?? new Set()
  for (const [, name = ''] of text.matchAll(/\bcss\['(\w+)'\]/g)) names.add(name)
  used.set(target, names)
}

const classesOf = (css: string): Set<string> =>
  new Set(
    [...css.replaceAll(/\/\*[\s\S]*?\*\/|:global\([^)]*\)/g, '').matchAll(/\.([a-z]\w*)/gi)].map(
      ([, name = '']) => name,
    ),
  )

test('every style sheet that is imported exists, and each one is imported', () => {
  expect(missing).toEqual([])
  expect(globSync('**/*.module.css', { cwd: SRC }).filter((path) => !used.has(path))).toEqual([])
})

test('every class that a component names has a style, and no style is left that none names', () => {
  const wrong = [...used].flatMap(([sheet, names]) => {
    const classes = classesOf(read(sheet))
    const unknown = [...names].filter((name) => !classes.has(name)).map((name) => `${basename(sheet)} lacks .${name}`)
    const unused = [...classes].filter((name) => !names.has(name)).map((name) => `.${name} of ${sheet} is unused`)
    return [...unknown, ...unused]
  })
  expect(wrong).toEqual([])
})

test('texts have the sizes of tokens.css, and no other', () => {
  const wrong = globSync('**/*.css', { cwd: SRC })
    .filter((path) => path !== 'style/global.css')
    .flatMap((path) =>
      (read(path).match(/font-size: (?!inherit|var\(--t-\d\d\)|0\.\d+em).*/g) ?? []).map((line) => `${path}: ${line}`),
    )
  expect(wrong).toEqual([])
})

test('colours are named in tokens.css; white and the red of danger lie on grounds that are the same in both themes', () => {
  const wrong = globSync('**/*.css', { cwd: SRC })
    .filter((path) => path !== 'style/tokens.css')
    .flatMap((path) => (read(path).match(/#[0-9a-f]{3,8}\b/gi) ?? []).map((colour) => `${path}: ${colour}`))
    .filter((line) => !/: #(?:fff|8c1512)$/.test(line))
  expect(wrong).toEqual([])
})

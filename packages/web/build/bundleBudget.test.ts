import { expect, test } from 'vitest'
import { filesOf, type OutputFiles } from './bundleBudget.ts'

const chunk = (name: string, imports: string[], css: string[] = [], isEntry = false) => ({
  type: 'chunk' as const,
  fileName: `${name}.js`,
  name,
  code: '',
  isEntry,
  imports,
  viteMetadata: { importedCss: new Set(css) },
})
const bundle: OutputFiles = {
  'main.js': chunk('main', ['base.js'], [], true),
  'base.js': chunk('base', [], ['base.css']),
  'home.js': chunk('home', ['base.js', 'chart.js'], ['home.css']),
  'chart.js': chunk('chart', ['home.js']),
  'admin.js': chunk('admin', ['base.js']),
  'base.css': { type: 'asset', fileName: 'base.css', source: '' },
}

test('a page loads the entries, its own chunks, what these import, and their styles', () => {
  expect([...filesOf(bundle, [])]).toEqual(['main.js', 'base.js', 'base.css'])
  expect([...filesOf(bundle, ['home'])].sort()).toEqual(
    ['base.css', 'base.js', 'chart.js', 'home.css', 'home.js', 'main.js'].sort(),
  )
})

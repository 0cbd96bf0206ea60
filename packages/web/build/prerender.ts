import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createServer, type Plugin } from 'vite'
import { compressed } from './bundleBudget.ts'

const AUTH_PAGES = [
  { path: '/login', title: '로그인 · Digger' },
  { path: '/join', title: '가입 · Digger' },
]
const ROOT = '<div id="root"></div>'
const TITLE = '<title>Digger</title>'
const STYLESHEET = /\s*<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g
const FIRST_SCRIPT = /\s*<script\b/
/** Compressed kB of HTML and CSS without which nothing is painted: what TCP sends before it waits for an answer. */
const FIRST_PAINT_LIMIT = 14

/** Pre-renders log-in and sign-up: they are on the screen before any script has run. */
export function prerender(): Plugin {
  let root = ''
  let out = ''
  return {
    name: 'prerender',
    apply: 'build',
    configResolved(config) {
      root = config.root
      out = resolve(root, config.build.outDir)
    },
    async closeBundle(error) {
      if (error) return
      const shell = await readFile(join(out, 'index.html'), 'utf8')
      const styles = await stylesIn(out)
      for (const { path, title, html } of await render(root)) {
        const missing = missingStyles(html, styles)
        if (missing.length > 0) throw new Error(`${path}: no style for ${missing.join(', ')}`)
        const page = styleFirst(insertPage(shell, html, title))
        console.log(withinLimit(path, await firstPaintParts(page, out)))
        await writeFile(join(out, `${path.slice(1)}.html`), page)
      }
    },
  }
}

/** The page's HTML and title, put into the empty index.html. */
export function insertPage(shell: string, html: string, title: string): string {
  if (!shell.includes(ROOT) || !shell.includes(TITLE)) throw new Error('index.html has no place for a page')
  return shell.replace(ROOT, () => `<div id="root">${html}</div>`).replace(TITLE, () => `<title>${title}</title>`)
}

/** Nothing is painted before the style is there: it must not wait behind scripts on the one connection that is open. */
export function styleFirst(page: string): string {
  const links = [...page.matchAll(STYLESHEET)].map(([link]) => link)
  if (links.length === 0 || !FIRST_SCRIPT.test(page)) throw new Error('the page has no style sheet or no script')
  return page.replace(STYLESHEET, '').replace(FIRST_SCRIPT, (script) => links.join('') + script)
}

/** The page itself and the style sheets that it waits for. */
const firstPaintParts = async (page: string, out: string): Promise<string[]> => [
  page,
  ...(await Promise.all([...page.matchAll(STYLESHEET)].map(([, path = '']) => readFile(join(out, path), 'utf8')))),
]

/** Says how much the first paint waits for; throws above the limit. */
export function withinLimit(path: string, parts: readonly string[]): string {
  const kB = (size: (part: string) => number) => parts.reduce((sum, part) => sum + size(part), 0) / 1000
  const [sent, raw] = [kB(compressed), kB((part) => Buffer.byteLength(part))]
  const line = `${path}: first paint after ${sent.toFixed(1)} kB compressed HTML+CSS (raw ${raw.toFixed(1)}, limit ${FIRST_PAINT_LIMIT})`
  if (sent > FIRST_PAINT_LIMIT) throw new Error(line)
  return line
}

/** The same modules run here as in the browser, or React could not hydrate the page. */
async function render(root: string): Promise<{ path: string; title: string; html: string }[]> {
  const vite = await createServer({
    root,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    const { renderAuthPage } = await vite.ssrLoadModule('/src/renderAuthPage.tsx')
    return AUTH_PAGES.map((page) => ({ ...page, html: String(renderAuthPage(page.path)) }))
  } finally {
    await vite.close()
  }
}

async function stylesIn(out: string): Promise<string> {
  const names = (await readdir(join(out, 'assets'))).filter((name) => name.endsWith('.css'))
  return (await Promise.all(names.map((name) => readFile(join(out, 'assets', name), 'utf8')))).join('')
}

/** Class names of the page that no style sheet defines: they are hashed from file paths, which must not differ here. */
export function missingStyles(html: string, styles: string): string[] {
  const used = [...html.matchAll(/class="([^"]+)"/g)].flatMap(([, names = '']) => names.split(' '))
  return [...new Set(used)].filter((name) => !styles.includes(`.${name}`)).map((name) => `.${name}`)
}

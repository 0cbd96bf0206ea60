import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createServer, type Plugin } from 'vite'

const AUTH_PAGES = [
  { path: '/login', title: '로그인 · Digger' },
  { path: '/join', title: '가입 · Digger' },
]
const ROOT = '<div id="root"></div>'
const TITLE = '<title>Digger</title>'

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
        await writeFile(join(out, `${path.slice(1)}.html`), insertPage(shell, html, title))
      }
    },
  }
}

/** The page's HTML and title, put into the empty index.html. */
export function insertPage(shell: string, html: string, title: string): string {
  if (!shell.includes(ROOT) || !shell.includes(TITLE)) throw new Error('index.html has no place for a page')
  return shell.replace(ROOT, () => `<div id="root">${html}</div>`).replace(TITLE, () => `<title>${title}</title>`)
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

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createServer, type Plugin } from 'vite'

const ENTRANCES = [
  { path: '/login', title: '로그인 · Digger' },
  { path: '/join', title: '가입 · Digger' },
]
const ROOT = '<div id="root"></div>'
const TITLE = '<title>Digger</title>'

/** Writes the pages before the log-in as finished HTML: they are on the screen before any script has run. */
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
      if (!shell.includes(ROOT) || !shell.includes(TITLE)) throw new Error('index.html has no place for a page')
      for (const { path, title, html } of await render(root)) {
        assertStyled(html, styles)
        const page = shell
          .replace(ROOT, () => `<div id="root">${html}</div>`)
          .replace(TITLE, () => `<title>${title}</title>`)
        await writeFile(join(out, `${path.slice(1)}.html`), page)
      }
    },
  }
}

/** By the same modules that the client is made of. */
async function render(root: string): Promise<{ path: string; title: string; html: string }[]> {
  const vite = await createServer({
    root,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    const { entrance } = await vite.ssrLoadModule('/src/entrance.tsx')
    return ENTRANCES.map((page) => ({ ...page, html: String(entrance(page.path)) }))
  } finally {
    await vite.close()
  }
}

async function stylesIn(out: string): Promise<string> {
  const names = (await readdir(join(out, 'assets'))).filter((name) => name.endsWith('.css'))
  return (await Promise.all(names.map((name) => readFile(join(out, 'assets', name), 'utf8')))).join('')
}

/** Class names are made from files; another name here would be a page without its looks. */
function assertStyled(html: string, styles: string): void {
  for (const [, names = ''] of html.matchAll(/class="([^"]+)"/g)) {
    for (const name of names.split(' ')) {
      if (!styles.includes(`.${name}`)) throw new Error(`no style for .${name}`)
    }
  }
}

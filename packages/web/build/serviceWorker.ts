import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { transformWithOxc, type Plugin } from 'vite'
import type { OutputFiles } from './bundleBudget.ts'

/** Plain scripts, one after the other: a worker of one file is installed whole or not at all. */
const SOURCES = ['serviceWorker.ts', 'push.ts'].map((name) => new URL(`../worker/${name}`, import.meta.url).pathname)

/** Writes sw.js: the worker with the list of this build's files, so that browsers notice each new build. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: await workerScript(buildOf(bundle)) })
      },
    },
  }
}

export async function workerScript(build: ReturnType<typeof buildOf>): Promise<string> {
  const parts = await Promise.all(
    SOURCES.map(async (source) => (await transformWithOxc(await readFile(source, 'utf8'), source)).code),
  )
  return [`const BUILD = ${JSON.stringify(build)}`, ...parts].join('\n')
}

/** What the worker knows of the build: see its declaration of BUILD. */
export function buildOf(bundle: OutputFiles): { id: string; files: string[]; shell: string[] } {
  const page = bundle['index.html']
  if (page?.type !== 'asset') throw new Error('the build has no index.html')
  const html = String(page.source)
  const files = Object.keys(bundle)
    .filter((name) => name.startsWith('assets/'))
    .map((name) => `/${name}`)
    .sort()
  const shell = files.filter((file) => html.includes(`"${file}"`))
  const id = createHash('sha256').update(files.join()).update(html).digest('hex').slice(0, 12)
  return { id, files, shell }
}

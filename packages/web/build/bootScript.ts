import type { Plugin } from 'vite'

export const BOOT_SOURCE = new URL('../src/boot.ts', import.meta.url).pathname

/** Adds the boot script to index.html as an async module: it runs beside the main script, not after it. */
export function bootScript(): Plugin {
  return {
    name: 'boot-script',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunk = Object.values(bundle).find((item) => item.type === 'chunk' && item.name === 'boot')
        if (chunk === undefined) throw new Error('there is no boot script')
        const attrs = { type: 'module', async: true, crossorigin: true, src: `/${chunk.fileName}` }
        return [{ tag: 'script', attrs, injectTo: 'head-prepend' }]
      },
    },
  }
}

import type { Plugin } from 'vite'

export const BOOT = new URL('src/boot.ts', import.meta.url).pathname

/** Puts the boot script on the page, to run as soon as it is there: beside the main script, not after it. */
export function boot(): Plugin {
  return {
    name: 'boot',
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

import type { SourceFile } from './architecture.ts'

interface Lock {
  readonly packages: Readonly<Record<string, { hasInstallScript?: boolean; integrity?: string; link?: boolean }>>
}

/** Whose program may run on installation: the pinned Node is fetched by it, and compared with a hash of ours. */
export const MAY_RUN_ON_INSTALL: readonly string[] = ['node']

/** Of what package-lock.json names: nothing runs a program of its own on installation, and every package has its hash. */
export function lockedPackages({ path, text }: SourceFile, allowed: readonly string[] = MAY_RUN_ON_INSTALL): string[] {
  const lock: Lock = JSON.parse(text)
  return Object.entries(lock.packages).flatMap(([folder, { hasInstallScript, integrity, link }]) => {
    const name = folder.split('node_modules/').at(-1) ?? ''
    const theirs = folder.includes('node_modules/') && link !== true
    return [
      ...(hasInstallScript === true && !allowed.includes(name)
        ? [`${path}: ${name} runs a program when it is installed: find another package, or see that it works without`]
        : []),
      ...(theirs && integrity === undefined ? [`${path}: ${name} has no hash: write the lock anew`] : []),
    ]
  })
}

/** What makes npm keep to it: both settings, for old and new versions of npm. */
export function installSettings(npmrc: SourceFile, manifest: SourceFile): string[] {
  const { allowScripts = {} }: { allowScripts?: Record<string, boolean> } = JSON.parse(manifest.text)
  const allowed = Object.entries(allowScripts).flatMap(([name, may]) => (may ? [name] : []))
  return [
    ...(/^ignore-scripts=true$/m.test(npmrc.text) ? [] : [`${npmrc.path}: lacks ignore-scripts=true`]),
    ...(allowed.toString() === MAY_RUN_ON_INSTALL.toString()
      ? []
      : [
          `${manifest.path}: allowScripts names ${allowed.join(', ') || 'nobody'}, not ${MAY_RUN_ON_INSTALL.join(', ')}`,
        ]),
  ]
}

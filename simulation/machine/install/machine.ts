import childProcess from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import workerThreads from 'node:worker_threads'
import { systemFile } from '../files.ts'
import { currentProcess, theSimulation } from '../current.ts'
import { refuse, refuseOthers, replace } from './replace.ts'

const { readFileSync, readlinkSync, existsSync } = fs
replace(fs, {
  readFileSync: (path: unknown, ...rest: unknown[]): unknown =>
    systemFile(path) ?? Reflect.apply(readFileSync, fs, [path, ...rest]),
  readlinkSync: (path: unknown, ...rest: unknown[]): unknown =>
    theSimulation() !== null && path === '/proc/self/ns/pid'
      ? `of ${currentProcess()?.name}`
      : Reflect.apply(readlinkSync, fs, [path, ...rest]),
  // No pages are served: what is built or not must change nothing.
  existsSync: (path: unknown): boolean =>
    Boolean(Reflect.apply(existsSync, fs, [path])) && !(theSimulation() !== null && String(path).includes('/web/dist')),
})

/** A plugin of the web framework reads a picture while it is put together. */
const { readFile } = fs.promises
replace(fs.promises, {
  readFile: (...args: unknown[]): unknown => {
    const read = () => Reflect.apply(readFile, fs.promises, args)
    return theSimulation()?.outside.do(read) ?? read()
  },
})
refuseOthers(fs.promises, 'fs.promises', ['readFile', 'constants'])
/** Those with a callback, and streams: their ends come in real time. */
const isLate = (name: string): boolean => `${name}Sync` in fs || /^(?:watch|create|unwatch)/.test(name)
refuse(
  fs,
  'fs',
  Object.keys(fs).filter((name) => isLate(name) && name !== 'exists'),
)

/** Whoever loads the product is nobody: what names this machine or process must not get into a run. */
Object.defineProperty(process, 'pid', { configurable: true, get: () => currentProcess()?.pid ?? 1 })
replace(os, { hostname: () => 'simulated' })

refuse(childProcess, 'child_process', ['spawn', 'exec', 'execFile', 'fork', 'spawnSync', 'execSync', 'execFileSync'])
refuse(workerThreads, 'worker_threads', ['Worker'])

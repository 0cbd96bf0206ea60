import { setFlagsFromString } from 'node:v8'

/**
 * Before the first engine of a process. Node 24 frees code of the engine that was compiled again, better, and ends the whole process where it
 * takes that of an engine that has gone (nodejs/node#66366, mended in V8 later). What is kept is some megabytes, once.
 */
export function keepCompiledCode(): void {
  setFlagsFromString('--no-wasm-code-gc')
}

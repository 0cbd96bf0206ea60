import type { KeepAlive } from './tcp-end.ts'

/** As Node tells the failure of a call to the system. */
export const errorOf = (code: string, call: string, port: number): Error =>
  Object.assign(new Error(`${call} ${code} 127.0.0.1:${port}`), { code, syscall: call })

/** How Node has the kernel ask on a silent connection: after the time it is given, every second, ten times (libuv). */
export const askedByNode = (idleMs: number): KeepAlive => ({ idleMs, everyMs: 1_000, tries: 10 })

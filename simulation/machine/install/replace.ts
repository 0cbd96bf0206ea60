import { theSimulation } from '../current.ts'

export function replace(target: object, members: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true })
}

/** `names` of `target` may be used outside of a simulation only: within one they would go by real time, or leave this process. */
export function refuse(target: object, what: string, names: readonly string[]): void {
  for (const name of names) {
    const original: unknown = Reflect.get(target, name)
    if (typeof original !== 'function') continue
    const check = (): void => {
      if (theSimulation() !== null)
        throw new Error(`${what}.${name} has no place in a simulated simulation: model it, or leave it`)
    }
    const guarded = new Proxy(original, {
      apply(called, self, args) {
        check()
        return Reflect.apply(called, self, args)
      },
      construct(called, args, made) {
        check()
        return Reflect.construct(called, args, made)
      },
    })
    replace(target, { [name]: guarded })
  }
}

/** What else `target` offers to be called, but for `allowed`. */
export function refuseOthers(target: object, what: string, allowed: readonly string[]): void {
  const names = Object.keys(target).filter((name) => !allowed.includes(name) && !/^[A-Z_]+$/.test(name))
  refuse(target, what, names)
}

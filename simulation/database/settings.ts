/** Settings of one session that the model keeps; none of them changes what a statement answers. Times in ms, 0: never. */
const DEFAULTS: Readonly<Record<string, string>> = {
  application_name: '',
  client_encoding: 'UTF8',
  client_min_messages: 'notice',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  tcp_keepalives_idle: '0',
  tcp_keepalives_interval: '0',
  tcp_keepalives_count: '0',
  tcp_user_timeout: '0',
}
const UNIT_MS: Readonly<Record<string, number>> = { '': 1, ms: 1, s: 1_000, min: 60_000, h: 3_600_000 }
const TIMES = /^(?:statement_timeout|lock_timeout|idle_in_transaction_session_timeout|tcp_user_timeout)$/

export class Settings {
  readonly #values = new Map<string, string>()

  keeps(name: string): boolean {
    return name in DEFAULTS
  }

  get(name: string): string {
    return this.#values.get(name) ?? DEFAULTS[name] ?? ''
  }

  set(name: string, value: string): void {
    this.#values.set(name, value)
  }

  reset(name: string): void {
    this.#values.delete(name)
  }

  /** In ms; 0: never. */
  time(name: string): number {
    return msOf(this.get(name))
  }

  /** As `show` writes it: a time in the largest unit that keeps it whole. */
  shown(name: string): string {
    const value = this.get(name)
    if (!TIMES.test(name) || msOf(value) === 0) return value
    const ms = msOf(value)
    const [unit, size] = Object.entries(UNIT_MS).findLast(([, size]) => ms % size === 0) ?? ['ms', 1]
    return `${ms / size}${unit}`
  }

  /** What a client gives when it connects: by name, or as `-c name=value` within `options`. */
  start(given: ReadonlyMap<string, string>): void {
    for (const [name, value] of given) if (this.keeps(name)) this.set(name, value)
    for (const [, name, value] of (given.get('options') ?? '').matchAll(/-c\s*(\w+)=(\S+)/g))
      if (name !== undefined && value !== undefined) this.set(name, value)
  }
}

function msOf(value: string): number {
  const [, number, unit = ''] = /^(\d+)\s*([a-z]*)$/.exec(value) ?? []
  return Number(number ?? 0) * (UNIT_MS[unit] ?? 1)
}

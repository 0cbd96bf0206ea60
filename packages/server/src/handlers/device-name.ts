/** As a browser names itself, the more particular first: each of them claims to be those after it. */
const BROWSERS = [
  ['SamsungBrowser/', '삼성 인터넷'],
  ['Whale/', '웨일'],
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'Mac'],
  ['Linux', 'Linux'],
] as const

/**
 * What to call a browser by its `User-Agent`, for its owner to know it again. It may claim anything: nothing rests on it.
 * Empty for what is no browser.
 */
export function deviceName(agent: string): string {
  const named = (names: readonly (readonly [sign: string, name: string])[]) =>
    names.flatMap(([sign, name]) => (agent.includes(sign) ? [name] : [])).slice(0, 1)
  return [...named(BROWSERS), ...named(SYSTEMS)].join(' · ')
}

/** The two forms of a particle: after a final consonant, and after none. */
const FORMS = { 을: '를', 이: '가', 은: '는', 과: '와', 으로: '로' } as const
export type Particle = keyof typeof FORMS

/** How the last character is read: its final consonant; ㄹ counts as none before 로. */
type Final = 'none' | 'rieul' | 'other'

/** 영 일 이 삼 사 오 육 칠 팔 구. */
const DIGITS: readonly Final[] = ['other', 'rieul', 'none', 'other', 'none', 'none', 'other', 'rieul', 'rieul', 'none']
/** Names of letters that end in a consonant: 엘 엠 엔 알. */
const LETTERS: Readonly<Record<string, Final>> = { l: 'rieul', m: 'other', n: 'other', r: 'rieul' }
const FIRST_SYLLABLE = 0xac00
const LAST_SYLLABLE = 0xd7a3
/** Final consonants of a syllable, none included; the place of ㄹ among them. */
const FINALS = 28
const RIEUL = 8

/** The name with the particle that fits it: 삼성전자를, 매수 멈춤으로. What stands in brackets behind a name is not read. */
export function withParticle(name: string, particle: Particle): string {
  const final = finalOf(name)
  const isOpen = final === 'none' || (particle === '으로' && final === 'rieul')
  return name + (isOpen ? FORMS[particle] : particle)
}

function finalOf(name: string): Final {
  const read = name.replace(/\s*\([^()]*\)\s*$/, '')
  const last = Array.from(read).findLast((character) => /[\p{L}\d]/u.test(character)) ?? ''
  if (/\d/.test(last)) return DIGITS[Number(last)] ?? 'none'
  const code = last.codePointAt(0) ?? 0
  if (code < FIRST_SYLLABLE || code > LAST_SYLLABLE) return LETTERS[last.toLowerCase()] ?? 'none'
  const at = (code - FIRST_SYLLABLE) % FINALS
  return at === 0 ? 'none' : at === RIEUL ? 'rieul' : 'other'
}

import { CREDENTIAL_CODES, GATEWAY } from './codes.ts'

/**
 * Codes that say of an order: it was not placed. The broker publishes no complete list, so whatever is not listed here
 * leaves the order's fate open: only its list of orders decides. Wrongly "open" costs one stock less than a minute;
 * wrongly "refused" costs an order that nobody books and that is sent again.
 */
const VERDICTS: ReadonlySet<string> = new Set<string>([
  // The gateway looked at the request itself and did not route it (error list of the broker's portal).
  ...CREDENTIAL_CODES,
  'EGW00101',
  'EGW00131',
  'EGW00132',
  'EGW00205',
  'EGW00207',
  'EGW00208',
  'EGW00209',
  'EGW00210',
  'EGW00211',
  'EGW00212',
  GATEWAY.trIdInvalid,
  // Account and key do not belong together: reported by several, on orders too.
  'IGW00002',
  '90070000',
  // Input checks of the query server (portal).
  'OPSQ2000',
  'OPSQ2001',
  'OPSQ2002',
  'OPSQ9995',
  'OPSQ9996',
  'OPSQ9997',
  'OPSQ9998',
  'OPSQ9999',
  // Outside operating hours; reservation orders outside theirs: reported with their message.
  'KIOK0320',
  'KIER3672',
])

/** The call does not exist in this environment. IGW00009 is not among them: some report it for a reply that could not be made. */
const NOT_OFFERED: ReadonlySet<string> = new Set<string>([GATEWAY.notOnPaper, GATEWAY.wrongTr, GATEWAY.noSuchService])

/**
 * Codes of the order system behind the gateway, APBK… on real and 4… on paper. That every one of them is a refusal is a
 * belief: the dozen seen with rt_cd other than "0" (APBK0400, 0656, 0918, 0919, 0952, 1234, 1943, 3013 …, 40240000,
 * 40330000, 40570000, 40970000 …) all were, and none was seen with an order behind it. No measurement covers the rest,
 * so a message that speaks of trouble outweighs the family.
 */
const FAMILIES = /^(APBK\d{4}|4\d{7})$/

/** Of those families, what otherwise announces success: with another rt_cd it contradicts itself. */
const SUCCESSES = /^(APBK0013|APBK1711|40(59|60|62)0000)$/

/** Messages that give no reason but a failure: of the line, of a system, or "look what became of it". */
const TROUBLE = /타임\s?아웃|time-?\s?out|지연|장애|시스템|전산|통신|일시적|처리\s?중|직전\s?거래|확인할\s?수/i

type OrderVerdict = 'refused' | 'notOffered' | null

/** Null: no verdict, the order may exist. */
export function orderVerdict(code: string, message: string): OrderVerdict {
  if (NOT_OFFERED.has(code)) return 'notOffered'
  if (VERDICTS.has(code)) return 'refused'
  return FAMILIES.test(code) && !SUCCESSES.test(code) && !TROUBLE.test(message) ? 'refused' : null
}

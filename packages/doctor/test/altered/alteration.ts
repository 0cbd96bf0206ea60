/** What is done to one value of one reply. */
export const KINDS = ['removed', 'otherType', 'otherForm', 'otherUnit', 'otherCode', 'unexpected'] as const
export type Kind = (typeof KINDS)[number]

/** Where a value stands in a body: its names and places from the outside in. */
export type Site = readonly (string | number)[]

export interface Alteration {
  readonly site: Site
  readonly kind: Kind
}

type Node = Record<string, unknown> | unknown[]
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Every text in a body. */
export function sitesOf(body: unknown, at: Site = []): Site[] {
  if (typeof body === 'string') return [at]
  if (Array.isArray(body)) return body.flatMap((one: unknown, n) => sitesOf(one, [...at, n]))
  if (!isNode(body)) return []
  return Object.entries(body).flatMap(([name, one]) => sitesOf(one, [...at, name]))
}

export const fieldOf = ({ site, kind }: Alteration): string =>
  kind === 'unexpected' ? NEW_FIELD : String(site.findLast((part) => typeof part === 'string'))

const NEW_FIELD = 'brand_new_fld'

/** The value that would come instead; undefined: none. Null: this kind changes nothing here. */
function instead(value: string, kind: Kind): { readonly value: unknown } | null {
  const isNumber = /^-?\d+(\.\d+)?$/.test(value.trim())
  switch (kind) {
    case 'removed':
      return { value: undefined }
    case 'otherType':
      return { value: isNumber ? Number(value) : 7 }
    case 'otherForm':
      return isNumber ? { value: `${value.trim()}원` } : null
    case 'otherUnit':
      return isNumber && Number(value) !== 0 && !/^0\d/.test(value) ? { value: thousandfold(value.trim()) } : null
    case 'otherCode':
      return /^[YN]$|^0\d$/.test(value) ? { value: 'Q9' } : null
    case 'unexpected':
      return { value }
  }
}

/** With as many decimals as before. */
const thousandfold = (value: string): string => (Number(value) * 1_000).toFixed(value.split('.')[1]?.length ?? 0)

/** The body with the alteration in it; null: it would be the same. */
export function altered(body: unknown, { site, kind }: Alteration): unknown {
  const copy: unknown = structuredClone(body)
  let node: unknown = copy
  for (const part of site.slice(0, -1)) node = isNode(node) ? Reflect.get(node, part) : undefined
  const name = site.at(-1)
  if (!isNode(node) || name === undefined) return null
  const old: unknown = Reflect.get(node, name)
  const other = typeof old === 'string' ? instead(old, kind) : null
  if (other === null) return null
  if (kind === 'unexpected') Reflect.set(node, NEW_FIELD, other.value)
  else if (other.value === undefined) Reflect.deleteProperty(node, name)
  else Reflect.set(node, name, other.value)
  return copy
}

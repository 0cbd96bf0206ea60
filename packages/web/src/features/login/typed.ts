let typed = new Map<string, string>()

/** Remembers what people typed into a pre-rendered page before the client took it over. */
export function rememberTyped(page: Element): void {
  const inputs = [...page.querySelectorAll('input')].filter(({ type, checked }) => type !== 'checkbox' || checked)
  typed = new Map(inputs.map(({ name, value }) => [name, value]))
}

/** A form that has its texts forgets them here: none may come back in another form. */
export const forgetTyped = (): void => typed.clear()

export const withTyped = <K extends string>(texts: Record<K, string>): Record<K, string> => {
  const all = { ...texts }
  for (const name in texts) all[name] = typed.get(name) ?? texts[name]
  return all
}

/** A check box is remembered only when it was ticked. */
export const wasTicked = (name: string): boolean => typed.has(name)

let typed = new Map<string, string>()

/** Before the client takes over a page that was there without it: people may have typed into it meanwhile. */
export function rememberTyped(page: Element): void {
  const inputs = [...page.querySelectorAll('input')].filter(({ type, checked }) => type !== 'checkbox' || checked)
  typed = new Map(inputs.map(({ name, value }) => [name, value]))
}

/** Once a form has its texts: nothing of them may come back in another. */
export const forgetTyped = (): void => typed.clear()

export const withTyped = <K extends string>(texts: Record<K, string>): Record<K, string> => {
  const all = { ...texts }
  for (const name in texts) all[name] = typed.get(name) ?? texts[name]
  return all
}

/** A box: its text is there only when it is ticked. */
export const wasTicked = (name: string): boolean => typed.has(name)

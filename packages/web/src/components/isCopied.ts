/** Puts a text into the clipboard. Browsers offer it only to pages that came by HTTPS or from the machine itself. */
export async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

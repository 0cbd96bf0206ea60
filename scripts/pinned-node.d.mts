export const NODE_SHA256: Readonly<Record<string, string>>
export function compareNode(
  file: string,
  version: string | undefined,
  machine?: string,
  known?: Readonly<Record<string, string>>,
): 'same' | 'different' | 'unknown'

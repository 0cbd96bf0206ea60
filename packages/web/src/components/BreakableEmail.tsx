/** An address that needs two lines is broken before its @. */
export function BreakableEmail({ email }: { email: string }) {
  const [name, host] = email.split('@')
  if (host === undefined) return name
  return (
    <>
      {name}
      <wbr />@{host}
    </>
  )
}

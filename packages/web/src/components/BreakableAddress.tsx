import { Fragment } from 'react'

/** A network address that needs two lines (IPv6 on a phone) is broken after one of its colons. */
export function BreakableAddress({ address }: { address: string }) {
  const [first = '', ...others] = address.split(/(?<=:)/)
  return (
    <>
      {first}
      {others.map((part, at) => (
        <Fragment key={others.slice(0, at + 1).join('')}>
          <wbr />
          {part}
        </Fragment>
      ))}
    </>
  )
}

import { Fragment } from 'react'

/** A network address that needs two lines (IPv6 on a phone) is broken after one of its colons. */
export const BreakableAddress = ({ address }: { address: string }) =>
  address.split(':').map((part, at) => (
    // Its parts have no names, and never change places.
    <Fragment key={`${at} ${part}`}>
      {at > 0 && (
        <>
          :<wbr />
        </>
      )}
      {part}
    </Fragment>
  ))

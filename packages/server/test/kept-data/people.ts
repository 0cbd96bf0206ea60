const person = (name: string, accountNumber: string) => ({
  email: `${name}@digger.test`,
  password: `the ${name} of kept data`,
  appKey: `PSkept${name}`.padEnd(36, 'k'),
  appSecret: `kept secret of ${name}`.padEnd(180, 's'),
  accountNumber,
  htsId: `kept-${name}`,
})

/** Everybody in the kept data folders. They never were, so their passwords and the master key may stand here. */
export const OWNER = person('owner', '8675309142')
export const BOSS = person('boss', '7531902468')
export const MASTER_KEY = 'voS6TdrWPoZmMMeXwKAwpoaZYpMRGEwPCo8LaO0gaik='

export const FIRST_STOCK = '005930'
export const SECOND_STOCK = '000660'

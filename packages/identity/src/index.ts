export {
  type AuditEntry,
  type AuditAction,
  auditActions,
  type AuditLine,
  beginAudit,
  endAudit,
  failedLogins,
  joinDetails,
  readAudit,
  writeAudit,
  writeAuditForAll,
} from './users/audit.ts'
export { ApiTokens, byWhom, deleteApiTokens, type StoredToken, type TokenSession } from './users/api-tokens.ts'
export { checkAgain, checkLogin, tooOften } from './users/check.ts'
export { endAccess } from './users/end-access.ts'
export { DEVICE_MAX_AGE_S, forgetDevices, type KnownDevice, KnownDevices } from './users/devices.ts'
export { networkOf } from './users/network.ts'
export { refuseGuessable } from './users/passwordRules.ts'
export type { RelyingParty } from './second-factor/relying-party.ts'
export { ClonedPasskeyError } from './second-factor/passkeys.ts'
export { dropFactors } from './second-factor/drop-factors.ts'
export { type Proof, type Proven, SecondFactors } from './second-factor/second-factors.ts'
export { type ListedSession, listSessions, markProven, provenAt } from './users/session-list.ts'
export { ACCESS_CHECK_MS, AccessWatch } from './users/access-watch.ts'
export { type Ended, type Session, SESSION_MAX_AGE_S, Sessions } from './users/sessions.ts'
export { assertFree, createUser } from './users/signUp.ts'
export { makeStopLink, pressStopLink, readStopLink, revokeStopLink } from './users/stop-links.ts'
export { LoginThrottle } from './users/throttle.ts'
export {
  findUser,
  findUserByEmail,
  listUsers,
  mayAdd,
  mayAddStocks,
  setAdmin,
  setMayAddStocks,
  setPasswordHash,
} from './users/users.ts'
export { type KeyPair, newKeyPair, sealFor, unsealWith } from './vault/hpke.ts'
export { KeyShares } from './vault/keyShares.ts'
export { makeMasterKey, type MasterKey, readMasterKey } from './vault/master.ts'
export { rotateMaster } from './vault/masterRows.ts'
export { Passwords } from './vault/password.ts'
export { dropAdminKey } from './vault/rows.ts'
export { newKey, seal, SealError, unseal } from './vault/seal.ts'
export { maskSecret, storeCredentials } from './vault/storedCredentials.ts'
export { TokenStore } from './vault/tokens.ts'
export type { MasterState, StoredCredentials } from './vault/prepared.ts'
export { Vault } from './vault/vault.ts'
export { openByMaster } from './vault/wraps.ts'

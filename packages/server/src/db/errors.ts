/** The database cannot be used; the message is for the person who runs the server. */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError'
}

/** Another process has the folder of the embedded database. */
export class FolderInUseError extends DatabaseError {
  override readonly name = 'FolderInUseError'
}

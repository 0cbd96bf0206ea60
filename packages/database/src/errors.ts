/** Something the person who runs the server has to mend: the message is for them, in one or two lines. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError'
}

/** The database cannot be used. */
export class DatabaseError extends OperatorError {
  override readonly name: string = 'DatabaseError'
}

/** Another process has the folder of the embedded database. */
export class FolderInUseError extends DatabaseError {
  override readonly name = 'FolderInUseError'
}

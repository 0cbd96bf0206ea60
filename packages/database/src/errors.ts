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

/** Another process has written itself in as the one that trades: whatever this one knows is old. */
export class TakenOverError extends DatabaseError {
  override readonly name = 'TakenOverError'
  constructor() {
    super('다른 Digger가 이 데이터베이스를 이어받았습니다.')
  }
}

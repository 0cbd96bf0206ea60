/** The database cannot be used; the message is for the person who runs the server. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
}

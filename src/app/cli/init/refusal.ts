/** A file cannot be changed without doing harm; the message is for a person, and begins behind the name of the file. */
export class FileRefusal extends Error {
  override readonly name = 'FileRefusal'
}

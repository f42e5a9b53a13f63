/** A file of a request, before its content is checked. */
export class UploadedFile {
  /** File name on the client, without directories. */
  readonly filename: string
  readonly bytes: Uint8Array

  constructor(filename: string, bytes: Uint8Array) {
    this.filename = filename.replace(/^.*[\\/]/s, '')
    this.bytes = bytes
  }
}

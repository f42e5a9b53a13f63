/** A file that came with a request, before anything is known of what is in it. */
export class UploadedFile {
  /** Name on the client's side, without any directory. */
  readonly filename: string
  readonly bytes: Uint8Array

  constructor(filename: string, bytes: Uint8Array) {
    this.filename = filename.replace(/^.*[\\/]/s, '')
    this.bytes = bytes
  }
}

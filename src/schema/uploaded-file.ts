import { readFileSync } from 'node:fs'

/** The content of a file: in memory, or in a file on the disk. */
export type FileContent = Uint8Array | FileOnDisk

export interface FileOnDisk {
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** A file of a request, before its content is checked. */
export class UploadedFile {
  /** File name on the client, without directories. */
  readonly filename: string
  /** On the disk if the file is large. That one exists until the response is sent. */
  readonly content: FileContent
  /** The same for the same file of a body that is parsed twice. */
  readonly key: unknown

  constructor(filename: string, content: FileContent, key?: string) {
    this.key = key ?? this
    this.filename = filename.replace(/^.*[\\/]/s, '')
    this.content = content
  }

  /** Bytes. */
  get size(): number {
    return sizeOf(this.content)
  }

  /** The whole content. For files that are small, or needed in memory anyway. */
  get bytes(): Uint8Array {
    return this.content instanceof Uint8Array ? this.content : readFileSync(this.content.path)
  }
}

export const sizeOf = (content: FileContent): number => (content instanceof Uint8Array ? content.length : content.size)

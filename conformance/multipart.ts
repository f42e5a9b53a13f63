import { randomBytes } from 'node:crypto'
import type { MultipartFile } from './recordings.ts'

/** An encoded form. */
export interface Form {
  readonly contentType: string
  readonly body: Buffer
}

/** A multipart form (RFC 7578) of text fields and files. */
export function encodeForm(
  fields: Readonly<Record<string, string>>,
  files: Readonly<Record<string, MultipartFile>>,
): Form {
  const boundary = `----conformance${randomBytes(12).toString('hex')}`
  const parts: Buffer[] = []
  const part = (disposition: string, content: Buffer): void => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`
    parts.push(Buffer.from(head), content, Buffer.from('\r\n'))
  }
  for (const [name, value] of Object.entries(fields)) part(`name="${name}"`, Buffer.from(value))
  for (const [name, file] of Object.entries(files)) {
    const disposition = `name="${name}"; filename="${file.filename}"`
    part(`${disposition}\r\nContent-Type: ${file.content_type}`, Buffer.from(file.base64, 'base64'))
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`))
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat(parts),
  }
}

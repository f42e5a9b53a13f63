import { createHash } from 'node:crypto'
import { UploadedFile } from '../../schema/uploaded-file.ts'
import type { ApiRequest } from '../api-request.ts'

/** Digest of the request's address and body; files are part of it. Throws where the body cannot be read. */
export async function fingerprintOf({ method, url, body }: ApiRequest): Promise<string> {
  const text = JSON.stringify(
    [method, url.pathname, url.search, await body.read('exact')],
    (_, value) => (value instanceof UploadedFile ? [value.filename, digestOf(value.bytes)] : value),
  )
  return digestOf(text)
}

const digestOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')

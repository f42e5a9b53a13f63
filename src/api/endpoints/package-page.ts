import { readFile } from 'node:fs/promises'
import type { Endpoint, Handler } from '../endpoint.ts'
import type { HttpResponse } from '../response.ts'

export const SCRIPT_TYPE = 'text/javascript; charset=utf-8'
export const STYLE_TYPE = 'text/css; charset=utf-8'

/** Makes the responses and endpoints of a page whose scripts and styles come from a package. */
interface PackagePage {
  respond(body: string | Uint8Array, type: string): HttpResponse
  /** Endpoint of a file that the service generates. */
  file(handle: Handler): Endpoint
  /** Endpoint of a stored file, which is read at the first request. `path` is absolute. */
  stored(path: string, type: string): Endpoint
}

/** `policy`: Content-Security-Policy of the page and its files; packages need more than the service's own pages. */
export function packagePage(name: string, description: string, policy: string): PackagePage {
  const respond = (body: string | Uint8Array, type: string): HttpResponse => ({
    status: 200,
    type,
    body,
    headers: { 'Content-Security-Policy': policy },
  })
  const file = (handle: Handler): Endpoint => ({
    name,
    description,
    access: 'public',
    kind: 'file',
    methods: { GET: { handle } },
  })
  const stored = (path: string, type: string): Endpoint => {
    let body: Buffer | undefined
    return file(async () => {
      body ??= await readFile(path)
      return respond(body, type)
    })
  }
  return { respond, file, stored }
}

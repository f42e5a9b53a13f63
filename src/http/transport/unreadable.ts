import type { Socket } from 'node:net'
import { API_VERSION } from '../version.ts'

/** What is said of a request whose head could not even be read, by Node's name for the fault. */
const REFUSALS: Readonly<Record<string, { readonly line: string; readonly detail: string }>> = {
  HPE_HEADER_OVERFLOW: {
    line: '431 Request Header Fields Too Large',
    detail: 'The address and the headers of the request are too long.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    line: '408 Request Timeout',
    detail: 'The request did not come in whole in time.',
  },
}
const OTHERWISE = { line: '400 Bad Request', detail: 'The request is not understood.' }

/**
 * Answers, in the form of the API, what is no request that the framework could hand on, and closes the
 * connection: nobody knows where the next request on it would begin.
 */
export function refuseUnreadable(error: { readonly code?: string }, socket: Socket): void {
  // The client has gone, or an answer is under way already.
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const { line, detail } = REFUSALS[error.code ?? ''] ?? OTHERWISE
  const body = JSON.stringify({ detail })
  const headers = [
    `HTTP/1.1 ${line}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `API-Version: ${API_VERSION}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`)
}

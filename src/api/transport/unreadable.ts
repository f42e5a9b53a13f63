import type { Socket } from 'node:net'
import { LATEST } from '../../base/api-version.ts'

/** Responses to requests that cannot be parsed, by Node's error code. */
const REFUSALS: Readonly<Record<string, { readonly line: string; readonly detail: string }>> = {
  HPE_HEADER_OVERFLOW: {
    line: '431 Request Header Fields Too Large',
    detail: 'The URL and the headers of the request are too long.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    line: '408 Request Timeout',
    detail: 'The request was not received completely within the time limit.',
  },
}
const OTHERWISE = { line: '400 Bad Request', detail: 'The request cannot be parsed.' }

/**
 * Responds in the API's form to a request that the HTTP parser refused, and closes the connection, because the start
 * of the next request on it is unknown.
 */
export function refuseUnreadable(error: { readonly code?: string }, socket: Socket): void {
  // The client has disconnected, or a response is being sent already.
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
    `API-Version: ${LATEST}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`)
}

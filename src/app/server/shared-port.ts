import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { Http2Server } from 'node:http2'
import type { Socket } from 'node:net'

/** The first bytes of HTTP/2 without TLS (RFC 9113 §3.4); no method of HTTP/1.1 begins with them. */
const PREFACE = Buffer.from('PRI')

/** Milliseconds in which a client has to send the first bytes. */
const FIRST_BYTES_TIMEOUT = 60_000

/** A port that serves HTTP/1.1, and HTTP/2 to clients that begin with it. */
export interface SharedPort {
  readonly server: Server
  /**
   * Closes the connections that have not sent anything yet, such as those that browsers open in advance. Node would
   * wait for their first request.
   */
  closeUnused(): void
}

/** `server` listens; connections that begin with HTTP/2 are passed on to `http2`, which does not listen. */
export function sharedPort(options: ServerOptions, listener: RequestListener, http2: Http2Server): SharedPort {
  const unused = new Set<Socket>()
  const server = createServer(options, listener)
  const emit = server.emit.bind(server)
  const decided = new WeakSet<Socket>()
  // Both servers accept connections that are handed to them as this event.
  server.emit = (event: string, ...values: readonly unknown[]): boolean => {
    const [socket] = values
    if (event !== 'connection' || !isSocket(socket) || decided.has(socket)) return emit(event, ...values)
    awaitFirstBytes(socket)
    return true
  }
  return {
    server,
    closeUnused: () => {
      for (const socket of unused) socket.destroy()
    },
  }

  function awaitFirstBytes(socket: Socket): void {
    let bytes = Buffer.alloc(0)
    const fail = (): void => void socket.destroy()
    const forget = (): void => void unused.delete(socket)
    const decide = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk])
      if (bytes.length < PREFACE.length && PREFACE.subarray(0, bytes.length).equals(bytes)) return
      socket.pause()
      socket.off('data', decide).off('error', fail).off('end', fail).off('close', forget).off('timeout', fail)
      socket.setTimeout(0)
      forget()
      decided.add(socket)
      socket.unshift(bytes)
      const isHttp2 = bytes.subarray(0, PREFACE.length).equals(PREFACE)
      // An HTTP/2 session reads what the socket holds by itself.
      if (isHttp2) http2.emit('connection', socket)
      else server.emit('connection', socket.resume())
    }
    unused.add(socket)
    socket.setTimeout(FIRST_BYTES_TIMEOUT)
    socket.on('data', decide).on('error', fail).on('end', fail).on('close', forget).on('timeout', fail)
  }
}

const isSocket = (value: unknown): value is Socket => typeof value === 'object' && value !== null && 'readable' in value

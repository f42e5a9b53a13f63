import { randomUUID } from 'node:crypto'
import { createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { FastifyBaseLogger } from 'fastify'
import { GRPC_STATUS, type GrpcCall, GrpcError } from '../../api/grpc-call.ts'
import { ApiError } from '../../base/errors.ts'
import { asOneRequest } from '../../db/query-groups.ts'
import type { Service } from '../../service.ts'

/** Bytes of a message: the usual limit of gRPC. */
const MAX_MESSAGE = 4 * 1024 * 1024
/** Bytes before a message: one that says whether it is compressed, then its length. */
const PREFIX = 5
/** Milliseconds until a message must be received completely. */
const RECEIVE_TIMEOUT = 60_000
/** Milliseconds after which a connection without calls is closed; clients keep theirs open with pings. */
const IDLE_TIMEOUT = 600_000

/** The calls of the service, by service and method. */
interface Callable {
  readonly service: Service
  readonly calls: ReadonlyMap<string, GrpcCall>
}

/** A gRPC server, not listening, for the calls that the service has at the time of a request. */
export function createGrpcServer(next: () => Callable | Promise<Callable>, logger: FastifyBaseLogger): Http2Server {
  const server: Http2Server = createServer({ settings: { maxConcurrentStreams: 32, maxHeaderListSize: 16_384 } })
  server.on('session', (session) => {
    session.setTimeout(IDLE_TIMEOUT, () => session.close())
    session.on('error', (error) => logger.debug({ err: error }, 'an HTTP/2 connection failed'))
  })
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', (error) => logger.debug({ err: error }, 'an HTTP/2 request failed'))
    void respond(stream, headers)
  })
  return server

  async function respond(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const { ':method': method, ':path': path = '', 'content-type': type = '' } = headers
    if (method !== 'POST' || !type.startsWith('application/grpc')) {
      stream.respond({ ':status': 415 }, { endStream: true })
      stream.resume()
      return
    }
    const id = randomUUID()
    try {
      const { service, calls } = await next()
      // The path of the client's target is put before that of the call.
      const call = calls.get(path.split('/').slice(-2).join('/'))
      if (!call) throw new GrpcError('unimplemented', `There is no call ${path}.`)
      const message = await readMessage(stream)
      const request = { service, id, message, metadata: singleValues(headers) }
      finish(stream, 'ok', '', await asOneRequest(() => call(request)))
    } catch (error) {
      stream.resume()
      const { status, message } = refusalOf(error)
      if (status === GRPC_STATUS.internal) logger.error({ err: error, request: id, url: path }, 'request failed')
      finishWith(stream, status, message)
    }
  }

  function refusalOf(error: unknown): Pick<GrpcError, 'status' | 'message'> {
    if (error instanceof GrpcError) return error
    if (error instanceof ApiError && error.reason.kind === 'unavailable') {
      return new GrpcError('unavailable', error.reason.detail)
    }
    return new GrpcError('internal', 'An internal error occurred. The log of the service has the details.')
  }
}

const finish = (stream: ServerHttp2Stream, status: keyof typeof GRPC_STATUS, message: string, body: Uint8Array): void =>
  finishWith(stream, GRPC_STATUS[status], message, body)

/** Sends the response, if the client is still there. */
function finishWith(stream: ServerHttp2Stream, status: number, message: string, body?: Uint8Array): void {
  if (stream.destroyed || stream.closed) return
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
  stream.on('wantTrailers', () =>
    stream.sendTrailers({
      'grpc-status': String(status),
      ...(message !== '' && { 'grpc-message': encodeURIComponent(message) }),
    }),
  )
  if (body === undefined) {
    stream.end()
    return
  }
  const prefix = Buffer.alloc(PREFIX)
  prefix.writeUInt32BE(body.length, 1)
  stream.end(Buffer.concat([prefix, body]))
}

/** The only message of a call. Throws GrpcError. */
async function readMessage(stream: ServerHttp2Stream): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let length = 0
  const { promise: received, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => stream.close(), RECEIVE_TIMEOUT)
  // Not as an iterator, which would reset the stream, so that the client would not learn the reason.
  const collect = (chunk: Buffer): void => {
    length += chunk.length
    if (length <= MAX_MESSAGE + PREFIX) chunks.push(chunk)
    else reject(new GrpcError('resourceExhausted', `The message is larger than ${MAX_MESSAGE} bytes.`))
  }
  // A request without data may have ended while the service was being found.
  if (stream.endAfterHeaders || stream.readableEnded || stream.closed) resolve()
  stream.on('data', collect).once('end', resolve).once('close', resolve)
  await received.finally(() => {
    clearTimeout(timer)
    stream.off('data', collect)
  })
  const bytes = Buffer.concat(chunks)
  if (bytes.length < PREFIX || bytes.readUInt32BE(1) !== bytes.length - PREFIX) {
    throw new GrpcError('invalidArgument', 'The request does not consist of one message.')
  }
  if (bytes[0] !== 0) throw new GrpcError('unimplemented', 'Compressed messages are not supported.')
  return bytes.subarray(PREFIX)
}

const singleValues = (headers: IncomingHttpHeaders): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )

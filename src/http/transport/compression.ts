import { pipeline, Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import {
  constants,
  createGzip,
  createZstdCompress,
  gzip,
  type ZlibOptions,
  type ZstdOptions,
  zstdCompress,
} from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../../config/settings.ts'
import { type Coding, codingFor } from './accept-encoding.ts'

/** Texts that become much shorter; of pages see `isGuessable`. */
const COMPRESSIBLE =
  /^(?:text\/(?!html)|application\/(?:json|yaml|xml|vnd\.oai\.openapi|[\w.-]+\+(?:json|xml))(?:;|$))/
/** Texts that are the same for everybody: styles, scripts, the OpenAPI document. */
const SAME_FOR_ALL = /^(?:text\/(?:css|javascript)|application\/vnd\.oai\.openapi)\b/

/** A way of compressing; the work is done outside the event loop. */
interface Coder {
  whole(body: Uint8Array): Promise<Buffer>
  stream(): Transform
}

// The fastest levels: the next ones take up to three times as long for the last tenth.
const GZIP: ZlibOptions = { level: constants.Z_BEST_SPEED }
const ZSTD: ZstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const toGzip = promisify<Uint8Array, ZlibOptions, Buffer>(gzip)
const toZstd = promisify<Uint8Array, ZstdOptions, Buffer>(zstdCompress)

const CODERS: Readonly<Record<Coding, Coder>> = {
  gzip: { whole: once((body) => toGzip(body, GZIP)), stream: () => createGzip(GZIP) },
  zstd: { whole: once((body) => toZstd(body, ZSTD)), stream: () => createZstdCompress(ZSTD) },
}

/** A body that is kept, by the memory of answers or as a file, is compressed when first wanted, and never again. */
function once(compress: (body: Uint8Array) => Promise<Buffer>): Coder['whole'] {
  const kept = new WeakMap<Uint8Array, Promise<Buffer>>()
  return (body) => {
    const known = kept.get(body)
    if (known) return known
    const made = compress(body)
    kept.set(body, made)
    return made
  }
}

/**
 * Lets bodies of `compression` bytes and more leave compressed where the client accepts that. All entity
 * tags here are weak, so that a body keeps its own in every coding (RFC 9110 §8.8.3.3).
 */
export function compressAnswers(
  app: FastifyInstance,
  { compression, sessionCookieName }: Pick<Settings, 'compression' | 'sessionCookieName'>,
): void {
  if (compression === 0) return
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    // The refusal that takes the place of a stream which failed at its beginning.
    if (reply.hasHeader('Content-Encoding')) reply.removeHeader('Content-Encoding')
    // What the client has already may have come compressed.
    if (reply.statusCode === 304) nameInVary(reply)
    const isBody = payload instanceof Uint8Array || payload instanceof Readable
    if (!isBody || ('length' in payload && payload.length < compression)) return payload
    const type = String(reply.getHeader('Content-Type'))
    if (!COMPRESSIBLE.test(type) || isGuessable(request, reply, type, sessionCookieName)) {
      return payload
    }
    nameInVary(reply)
    const coding = codingFor(request.headers['accept-encoding'])
    if (coding === undefined) return payload
    const answer =
      request.method === 'HEAD' ? withoutBody(payload) : await compressed(CODERS[coding], payload)
    reply.header('Content-Encoding', coding)
    return answer
  })
}

const compressed = async (
  coder: Coder,
  body: Uint8Array | Readable,
): Promise<Uint8Array | Readable> =>
  body instanceof Readable
    ? // A failure on the way reaches the answer as the end of its stream.
      pipeline(body, coder.stream(), () => undefined)
    : await coder.whole(body)

/** For HEAD: nothing tells the length, which would have to be that of the compressed body (RFC 9110 §8.6). */
function withoutBody(body: Uint8Array | Readable): null {
  if (body instanceof Readable) body.destroy()
  return null
}

function nameInVary(reply: FastifyReply): void {
  const vary = reply.getHeader('Vary')
  reply.header('Vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`)
}

/**
 * Whether a secret in the body could be guessed from its compressed length: by somebody who has a browser
 * ask again and again with other words in the address, which the body repeats, and sees how long the
 * answers are (the attack "BREACH"). It takes a browser that tells by itself who asks, so what is shown to
 * a session goes as it is, unless it is the same for all. So do pages, each of which holds a token
 * of its session, and whatever nobody may keep: answers with the keys of API tokens.
 */
const isGuessable = (
  { headers }: FastifyRequest,
  reply: FastifyReply,
  type: string,
  sessionCookieName: string,
): boolean =>
  reply.getHeader('cache-control') === 'no-store' ||
  (headers.cookie?.includes(`${sessionCookieName}=`) === true && !SAME_FOR_ALL.test(type))

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
import { oncePer } from '../../schema/once-per.ts'
import { type Coding, codingFor } from './accept-encoding.ts'

/** Bytes of the smallest body that is compressed. */
const SMALLEST = 8_192

/** Media types that compress well; for pages see `isGuessable`. */
const COMPRESSIBLE = /^(?:text\/(?!html)|application\/(?:json|yaml|xml|vnd\.oai\.openapi|[\w.-]+\+(?:json|xml))(?:;|$))/
/** Media types whose content is the same for all users: styles, scripts, the OpenAPI document. */
const SAME_FOR_ALL = /^(?:text\/(?:css|javascript)|application\/vnd\.oai\.openapi)\b/

/** A compression method; the work runs outside the event loop. */
interface Coder {
  whole(body: Uint8Array): Promise<Buffer>
  stream(): Transform
}

// The fastest levels: the next ones take up to three times as long for the last 10 %.
const GZIP: ZlibOptions = { level: constants.Z_BEST_SPEED }
const ZSTD: ZstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const toGzip = promisify<Uint8Array, ZlibOptions, Buffer>(gzip)
const toZstd = promisify<Uint8Array, ZstdOptions, Buffer>(zstdCompress)

const CODERS: Readonly<Record<Coding, Coder>> = {
  // A cached body, or that of a file, is compressed only when it is first used.
  gzip: {
    whole: oncePer((body: Uint8Array) => toGzip(body, GZIP)),
    stream: () => createGzip(GZIP),
  },
  zstd: {
    whole: oncePer((body: Uint8Array) => toZstd(body, ZSTD)),
    stream: () => createZstdCompress(ZSTD),
  },
}

/**
 * Compresses bodies of 8 kB and more if the client accepts that. All entity tags are weak, so a body has the same tag
 * in every coding (RFC 9110 §8.8.3.3).
 */
export function compressResponses(
  app: FastifyInstance,
  { sessionCookieName }: Pick<Settings, 'sessionCookieName'>,
): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    // The body is an error response, because the stream failed at its start.
    if (reply.hasHeader('Content-Encoding')) reply.removeHeader('Content-Encoding')
    // The representation that the client has cached may have been compressed.
    if (reply.statusCode === 304) nameInVary(reply)
    const isBody = payload instanceof Uint8Array || payload instanceof Readable
    if (!isBody || ('length' in payload && payload.length < SMALLEST)) return payload
    const type = String(reply.getHeader('Content-Type'))
    if (!COMPRESSIBLE.test(type) || isGuessable(request, reply, type, sessionCookieName)) {
      return payload
    }
    nameInVary(reply)
    const coding = codingFor(request.headers['accept-encoding'])
    if (coding === undefined) return payload
    const response = request.method === 'HEAD' ? withoutBody(payload) : await compressed(CODERS[coding], payload)
    reply.header('Content-Encoding', coding)
    return response
  })
}

const compressed = async (coder: Coder, body: Uint8Array | Readable): Promise<Uint8Array | Readable> =>
  body instanceof Readable
    ? // A failure along the way reaches the response as the end of its stream.
      pipeline(body, coder.stream(), () => undefined)
    : await coder.whole(body)

/** For HEAD: Content-Length would have to be that of the compressed body (RFC 9110 §8.6), so it is omitted. */
function withoutBody(body: Uint8Array | Readable): null {
  if (body instanceof Readable) body.destroy()
  return null
}

function nameInVary(reply: FastifyReply): void {
  const vary = reply.getHeader('Vary')
  reply.header('Vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`)
}

/**
 * Whether an attacker could guess a secret in the body from its compressed length: by making a browser repeat the
 * request with varying text in the URL, which the body repeats, and observing the lengths (the BREACH attack). The
 * attack needs credentials that the browser sends by itself, so responses within a session are not compressed unless
 * they are the same for all users. Neither are pages, which contain a token of their session, nor `no-store`
 * responses, which contain the keys of API tokens.
 */
const isGuessable = (
  { headers }: FastifyRequest,
  reply: FastifyReply,
  type: string,
  sessionCookieName: string,
): boolean =>
  reply.getHeader('cache-control') === 'no-store' ||
  (headers.cookie?.includes(`${sessionCookieName}=`) === true && !SAME_FOR_ALL.test(type))

import { compare, literal, sameKeyOrder } from './compare.ts'
import type { Difference } from './difference.ts'
import { type Answer, type Client, headerOf, jsonOf, mediaType, textOf } from './http-client.ts'
import { isObject, type Json, type JsonObject, short } from './json.ts'
import { differencesOf } from './mismatch-cause.ts'
import type { BodyRecording } from './recordings.ts'
import { compareStatus, unanswered } from './status.ts'

/** Headers whose value is an unordered list (RFC 9110 §10.2.1 and §12.5.5). */
const UNORDERED = new Set(['allow', 'vary'])

/** Paths that describe the running server itself (host, versions, workers): only the keys can agree. */
const ABOUT_THE_SERVER = /^\/api\/(status|core\/background-[a-z]+)\/$/

/** Result of comparing a response with its recording, including the order of its fields. */
export interface BodyVerdict {
  readonly differences: readonly Difference[]
  readonly sameFieldOrder?: boolean
}

/** Id of a recording: its method and path, and the headers in which it differs from the default request. */
export function bodyId(recording: BodyRecording): string {
  const told = Object.entries(recording.request_headers ?? {}).map(([name, value]) => ` [${name}: ${value ?? 'none'}]`)
  return `${recording.method} ${recording.path}${told.join('')}`
}

/** Repeats a recorded request and compares status, recorded headers and body. */
export async function runBody(recording: BodyRecording, client: Client): Promise<BodyVerdict> {
  try {
    const hasBody = recording.request_body !== undefined
    const answer = await client.send({
      method: recording.method,
      path: recording.path,
      headers: {
        ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
        ...recording.request_headers,
      },
      body: hasBody ? Buffer.from(JSON.stringify(recording.request_body)) : undefined,
    })
    return checkBody(recording, answer, client.base)
  } catch (error) {
    return { differences: [unanswered(error)] }
  }
}

/** Compares a response of the server at `base` with a recording. */
export function checkBody(recording: BodyRecording, answer: Answer, base: string): BodyVerdict {
  const status = compareStatus(recording.status, answer)
  if (status) {
    // Two redirects with different status codes are equivalent, so their targets are still compared.
    const redirects = isRedirect(recording.status) && isRedirect(answer.status)
    return { differences: [status, ...(redirects ? compareHeaders(recording, answer, base) : [])] }
  }
  if (recording.status >= 500) return { differences: [] }

  const headers = compareHeaders(recording, answer, base)
  if (recording.body_text !== undefined) {
    return { differences: [...headers, ...compareText(recording.body_text, answer)] }
  }
  if (recording.body === undefined) return { differences: headers }

  const whole = jsonOf(answer, (text) => text.replaceAll(base, '{base}'))
  // The recordings of OPTIONS have no help texts.
  const given = recording.method === 'OPTIONS' && whole !== undefined ? withoutHelp(whole) : whole
  if (given === undefined) {
    const actual = `${mediaType(answer)} ${textOf(answer).slice(0, 120)}`
    return { differences: [...headers, { cause: 'the body is not JSON', actual }] }
  }
  const [expected, actual] = isAboutServer(recording)
    ? [keysOnly(recording.body), keysOnly(given)]
    : [recording.body, given]
  const differences = [...headers, ...differencesOf(compare(expected, actual, literal))]
  if (differences.length > 0) return { differences }
  return { differences, sameFieldOrder: sameKeyOrder(expected, actual) }
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400

const isAboutServer = (recording: BodyRecording): boolean =>
  recording.volatile === true ||
  (recording.status === 200 && recording.method === 'GET' && ABOUT_THE_SERVER.test(recording.path))

function withoutHelp(body: Json): Json {
  if (Array.isArray(body)) return body.map(withoutHelp)
  if (!isObject(body)) return body
  const kept = Object.entries(body).filter(([name]) => name !== 'help_text')
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutHelp(value)]))
}

function keysOnly(body: Json): Json {
  if (!isObject(body)) return null
  const keys: Record<string, Json> = {}
  for (const key of Object.keys(body)) keys[key] = true
  return keys satisfies JsonObject
}

function compareHeaders(recording: BodyRecording, answer: Answer, base: string): Difference[] {
  const differences: Difference[] = []
  for (const [name, expected] of Object.entries(recording.headers)) {
    const actual = headerOf(answer, name)
    if (actual === undefined) {
      differences.push({ cause: `header ${name} is missing`, expected })
    } else if (!sameHeader(name, expected, actual.replaceAll(base, '{base}'))) {
      differences.push({ cause: `header ${name} differs`, expected, actual })
    }
  }
  return differences
}

/**
 * What responses may depend on in addition: the reference leaves compression to a proxy, which adds the first of these,
 * and it has neither versions nor branches. It does not name the token.
 */
const ADDED_TO_VARY: ReadonlySet<string> = new Set(['accept-encoding', 'accept', 'authorization', 'x-netbox-branch'])

/** What the tag of an object in an earlier version of the API ends with; the reference has one version. */
const ADDED_TO_ETAG = /;4\.\d+"$/

/** Whether two values of a header mean the same. */
export function sameHeader(name: string, expected: string, actual: string): boolean {
  if (name.toLowerCase() === 'etag') return expected === actual.replace(ADDED_TO_ETAG, '"')
  if (!UNORDERED.has(name.toLowerCase())) return expected === actual
  const members = (value: string) =>
    value
      .split(',')
      .map((member) => member.trim().toLowerCase())
      .filter((member) => name.toLowerCase() !== 'vary' || !ADDED_TO_VARY.has(member))
      .sort()
      .join()
  return members(expected) === members(actual)
}

function compareText(expected: string, answer: Answer): Difference[] {
  const actual = textOf(answer)
  if (actual === expected) return []
  return [{ cause: 'the text differs', expected: short(expected), actual: short(actual) }]
}

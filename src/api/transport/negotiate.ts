import { type ApiVersion, isApiVersion } from '../../base/api-version.ts'
import { ApiError } from '../../base/errors.ts'
import { lastValue } from '../../read/query/last-value.ts'

/** Representation that the client prefers. */
export interface Presentation {
  /** Spaces per level of JSON; 0 for the compact form. */
  readonly indent: number
  /** As an HTML page. */
  readonly isPage: boolean
  /** The version of the API that the client requests. */
  readonly version?: ApiVersion | undefined
}

const COMPACT: Presentation = { indent: 0, isPage: false }
const PAGE: Presentation = { indent: 0, isPage: true }
const FORMATS: ReadonlySet<string> = new Set(['json', 'api'])
const MOST_INDENT = 8
const ACCEPTABLE: ReadonlySet<string> = new Set(['*/*', 'application/*', 'application/json', 'text/*', 'text/html'])
const PAGES: ReadonlySet<string> = new Set(['text/html', 'text/*'])
const TEXTS: ReadonlySet<string> = new Set(['*/*', 'text/*', 'text/plain'])
/** Media types of which a wildcard may choose one, the preferred one first. */
const OFFERED = ['application/json', 'text/html', 'text/plain'] as const

/**
 * Evaluates `Accept` and `?format=`. Throws `notAcceptable` if the client accepts no supported media type, or another
 * version of the API, and `notFound` for an unknown format.
 */
export function negotiate(accept: string | undefined, format: string | undefined): Presentation {
  if (format !== undefined && format !== '' && !FORMATS.has(format)) {
    throw new ApiError({ kind: 'notFound', detail: 'Not found.' })
  }
  if (accept === undefined || accept === '' || accept === '*/*') {
    return format === 'api' ? PAGE : COMPACT
  }
  const chosen = rangesOf(accept).find(({ type }) => ACCEPTABLE.has(type))
  if (!chosen) throw new ApiError({ kind: 'notAcceptable', refused: 'mediaType' })
  const version = versionIn(chosen)
  // An explicit format wins; browsers accept every type, but prefer pages.
  if (format === 'api' || (PAGES.has(chosen.type) && format !== 'json')) return { ...PAGE, version }
  const indent = Number(chosen.parameters.get('indent') ?? 0)
  if (!Number.isInteger(indent) || indent < 1) return version === undefined ? COMPACT : { ...COMPACT, version }
  return { indent: Math.min(indent, MOST_INDENT), isPage: false, version }
}

/** The version of the API that the preferred media range names. Throws `notAcceptable` for one that does not exist. */
export const versionOf = (accept: string | undefined): ApiVersion | undefined => versionIn(rangesOf(accept)[0])

function versionIn(range: MediaRange | undefined): ApiVersion | undefined {
  const version = range?.parameters.get('version')
  if (version === undefined || isApiVersion(version)) return version
  throw new ApiError({ kind: 'notAcceptable', refused: 'version' })
}

/** The media types that the client accepts, the preferred one first. */
export const preferredTypes = (accept: string | undefined): readonly string[] =>
  rangesOf(accept).map(({ type }) => type)

/** Whether the client prefers a page to every other type that it accepts. */
export function prefersPage(accept: string | undefined, format: string | undefined): boolean {
  if (format !== undefined && format !== '') return format === 'api'
  return rangesOf(accept)[0]?.type === 'text/html'
}

/** Whether the client accepts a page; without `Accept` a client accepts every type. */
export function acceptsPage(accept: string | undefined): boolean {
  if (accept === undefined || accept === '') return true
  return rangesOf(accept).some(({ type }) => type === '*/*' || PAGES.has(type))
}

/** The parts of a request that choose the media type of the response. */
interface MediaWishes {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly search: URLSearchParams
}

/**
 * As `negotiate`, for endpoints that offer plain text besides JSON: whether the client prefers text. Throws
 * `notAcceptable` also for `format=txt` from a client that does not accept text.
 */
export function wantsText({ headers: { accept }, search }: MediaWishes): boolean {
  const format = lastValue(search, 'format')
  const types = preferredTypes(accept)
  if (format === 'txt') {
    if (!accept || types.some((type) => TEXTS.has(type))) return true
    throw new ApiError({ kind: 'notAcceptable', refused: 'mediaType' })
  }
  const first = types.find((type) => type === 'text/plain' || ACCEPTABLE.has(type))
  if (first === 'text/plain') return true
  negotiate(accept, format)
  return false
}

/** Whether the client asks for server-sent events: by `Accept`, as browsers do, or by the parameter `stream`. */
export function wantsEventStream({ headers: { accept }, search }: MediaWishes): boolean {
  const stream = lastValue(search, 'stream')
  if (stream !== undefined) return !REFUSALS.has(stream.toLowerCase())
  return rangesOf(accept).some(({ type }) => type === 'text/event-stream')
}

const REFUSALS: ReadonlySet<string> = new Set(['false', '0'])

interface MediaRange {
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
}

/**
 * The media ranges of `Accept` (RFC 9110 §12.5.1), the preferred ones first. Those with `q=0`, which the client refuses,
 * are left out. A wildcard that includes an excluded type is replaced by the other types that it includes.
 */
function rangesOf(accept = ''): readonly MediaRange[] {
  const ranges = accept.split(',').flatMap((range) => (range.trim() === '' ? [] : [parseMediaRange(range)]))
  const excluded = new Set(
    ranges.filter((range) => weightOf(range) === 0 && !range.parameters.has('version')).map(({ type }) => type),
  )
  return ranges
    .filter((range) => weightOf(range) > 0)
    .toSorted((left, right) => weightOf(right) - weightOf(left))
    .flatMap((range) => {
      const included = OFFERED.filter((type) => includes(range.type, type))
      if (!range.type.endsWith('*') || !included.some((type) => excluded.has(type))) return [range]
      return included.filter((type) => !excluded.has(type)).map((type) => ({ ...range, type }))
    })
}

/** 0 to 1; an invalid weight counts as 0. */
const weightOf = ({ parameters }: MediaRange): number => Number(parameters.get('q') ?? 1) || 0

const includes = (wildcard: string, type: string): boolean =>
  wildcard === '*/*' || type.startsWith(wildcard.replace(/\*$/, ''))

function parseMediaRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((word) => word.trim())
  const pairs = parameters.map((parameter): [string, string] => {
    const [name = '', value = ''] = parameter.split('=')
    return [name.trim().toLowerCase(), value.trim().replace(/^"|"$/g, '')]
  })
  return { type: type.toLowerCase(), parameters: new Map(pairs) }
}

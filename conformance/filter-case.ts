import type { Difference } from './difference.ts'
import { topLevelKeys } from './error-keys.ts'
import { type Answer, type Client, jsonOf } from './http-client.ts'
import { isList, isObject, type Json, short } from './json.ts'
import type { FilterRecording } from './recordings.ts'
import { resourceOf } from './resources.ts'
import { compareRows } from './rows.ts'
import { compareStatus, unanswered } from './status.ts'

/** No result of the reference has more pages of 1,000 rows; a server that returns more is in a loop. */
const MAX_PAGES = 100

/** The text by which a filter's failures are grouped: resource and parameter names. */
export function filterContext(recording: FilterRecording): string {
  const query = recording.path.split('?')[1] ?? ''
  const names = [...new Set(new URLSearchParams(query).keys())].sort()
  const told = names.length === 0 ? 'without parameters' : names.join(' and ')
  return `filter ${resourceOf(recording.path)} ${told}`
}

/** Requests all rows of a recorded list request and compares them, or the refusal, with the recording. */
export async function runFilter(recording: FilterRecording, client: Client): Promise<Difference[]> {
  try {
    const path = withLimit(recording.path)
    const answer = await client.send({ method: 'GET', path })
    const status = compareStatus(recording.status, answer)
    if (status) return [status]
    if (recording.status >= 500) return []
    if (recording.status !== 200) return compareKeys(recording.error_keys ?? [], answer)

    const given = await readRows(client, answer)
    if ('cause' in given) return [given]
    return compareRows({ ...recording, count: recording.count ?? 0, ids: recording.ids ?? [] }, given)
  } catch (error) {
    return [unanswered(error)]
  }
}

const withLimit = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}limit=1000`

function compareKeys(recorded: readonly string[], answer: Answer): Difference[] {
  const given = topLevelKeys(jsonOf(answer))
  if (given.join() === [...recorded].sort().join()) return []
  return [
    {
      cause: `error keys {${given.join(', ')}} instead of {${recorded.join(', ')}}`,
      expected: short([...recorded]),
      actual: short(jsonOf(answer)),
    },
  ]
}

interface Rows {
  readonly count: number
  readonly ids: number[]
}

/** All rows of all pages. A page of another structure, or a page that fails, is a difference. */
async function readRows(client: Client, first: Answer): Promise<Rows | Difference> {
  const ids: number[] = []
  let count: number | undefined
  let answer = first
  for (let page = 1; page <= MAX_PAGES; page++) {
    const status = compareStatus(200, answer)
    if (status) return { ...status, cause: `page ${page}: ${status.cause}` }
    const body = jsonOf(answer)
    const results = isObject(body) ? body.results : undefined
    if (!isObject(body) || !isList(results) || typeof body.count !== 'number') {
      return { cause: 'the answer is not a list with count and results', actual: short(body) }
    }
    count ??= body.count
    for (const row of results) {
      const id = isObject(row) ? row.id : undefined
      if (typeof id !== 'number') return { cause: 'a row has no id', actual: short(row) }
      ids.push(id)
    }
    const next = nextPath(body.next, client.base)
    if (next === undefined) return { count, ids }
    answer = await client.send({ method: 'GET', path: next })
  }
  return { cause: `more than ${MAX_PAGES} pages`, actual: `${ids.length} rows so far` }
}

/** Path and query of a page's URL. Its host is compared with the bodies. */
function nextPath(next: Json | undefined, base: string): string | undefined {
  if (typeof next !== 'string') return undefined
  const url = new URL(next)
  const prefix = new URL(base).pathname.replace(/\/+$/, '')
  const path = url.pathname.startsWith(prefix) ? url.pathname.slice(prefix.length) : url.pathname
  return path + url.search
}

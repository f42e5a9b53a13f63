import type { Difference } from './difference.ts'
import { type Answer, type Client, jsonOf } from './http-client.ts'
import { isList, isObject, type Json, short } from './json.ts'
import type { SearchRecording } from './recordings.ts'
import { compareStatus, unanswered } from './status.ts'

/** Number of results in the recordings. */
const RECORDED = 60

/** Identifies the recording in reports and differences: `search alice icontains level`. */
export const searchId = ({ user, lookup, q }: SearchRecording): string => `search ${user} ${lookup} ${q}`

/**
 * Sends a recorded search, and compares the objects among the first results as a set, the value and weight of each
 * match, and the number of objects. The name of the matching field is not compared, because if two fields match equally
 * well, either is right.
 */
export async function runSearch(
  recording: SearchRecording,
  client: Client,
  tokens: ReadonlyMap<string, string>,
): Promise<Difference[]> {
  const { q, lookup, user } = recording
  const key = tokens.get(user)
  if (key === undefined) return [{ cause: `no token is known of ${user}` }]
  try {
    const query = new URLSearchParams({ q, lookup, limit: String(RECORDED) })
    const answer = await client.send({
      method: 'GET',
      path: `/api/search/?${query}`,
      headers: { Authorization: `Token ${key}` },
    })
    const status = compareStatus(200, answer)
    return status ? [status] : compareResults(recording, answer)
  } catch (error) {
    return [unanswered(error)]
  }
}

function compareResults(recording: SearchRecording, answer: Answer): Difference[] {
  const body = jsonOf(answer)
  const results = isObject(body) ? body.results : undefined
  if (!isObject(body) || !isList(results)) return [{ cause: 'no results', actual: short(body) }]
  const given = new Map(results.map(matchOf))
  const expected = new Map(
    recording.results.map(({ model, id, value, weight }) => [`${model} ${id}`, `${weight} ${value}`]),
  )
  const missing = [...expected.keys()].filter((object) => !given.has(object))
  const extra = [...given.keys()].filter((object) => !expected.has(object))
  if (missing.length > 0 || extra.length > 0) {
    return [{ cause: 'objects differ', expected: short(missing), actual: short(extra) }]
  }
  const others = [...expected].filter(([object, match]) => given.get(object) !== match)
  return [
    ...others.map(
      ([object, match]): Difference => ({
        cause: 'match differs',
        expected: `${object}: ${match}`,
        actual: String(given.get(object)),
      }),
    ),
    ...(body.count === recording.count
      ? []
      : [{ cause: 'count differs', expected: String(recording.count), actual: short(body.count) }]),
  ]
}

/** Object and match of a result. */
function matchOf(result: Json): readonly [object: string, match: string] {
  if (!isObject(result) || !isObject(result.object ?? null)) return ['', short(result)]
  const { id } = result.object as { readonly id?: Json } // checked above
  return [`${String(result.object_type)} ${String(id)}`, `${String(result.weight)} ${String(result.value)}`]
}

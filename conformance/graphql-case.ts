import { compare, literal } from './compare.ts'
import type { Difference } from './difference.ts'
import { type Answer, type Client, jsonOf, textOf } from './http-client.ts'
import { isObject, type Json, type JsonObject, short } from './json.ts'
import { differencesOf } from './mismatch-cause.ts'
import type { GraphqlRecording } from './recordings.ts'
import { compareStatus, unanswered } from './status.ts'

/** Kinds of errors by words of their messages; the first match counts, and all others are about values. */
const KINDS: readonly (readonly [kind: string, words: RegExp])[] = [
  ['syntax', /^Syntax Error/],
  ['missing object', /matching query does not exist/],
  ['limit', /aliases found|exceeds maximum operation depth|Validation aborted/],
  [
    'document',
    /^Cannot query field|is not defined by type|^Unknown |must have a selection|is never used|can never be of type|required|not configured to execute|specify exactly one key|cannot represent|^Expected value|^Variable |does not exist in/,
  ],
  [
    'defect of the reference',
    /^Cannot resolve keyword|^Unsupported lookup|has no field named|does not exist(: .*)?\nLINE|^Expected value of type .* but got: <|cannot unpack|non 32-bit/,
  ],
]

const FAILED = 'refused (defect of the reference)'

/** The kind of the error with the message. */
export const errorKind = (message: string): string =>
  // An internal failure of the reference may contain words of the other kinds.
  [...KINDS].reverse().find(([, words]) => words.test(message))?.[0] ?? 'value'

/** Sends a recorded query, and compares data, and errors by their kind. */
export async function runGraphql(
  recording: GraphqlRecording,
  client: Client,
  tokens: ReadonlyMap<string, string>,
): Promise<Difference[]> {
  const { query, variables, operationName, user } = recording
  const key = user === null ? undefined : tokens.get(user)
  if (user !== null && key === undefined) return [{ cause: `no token is known of ${user}` }]
  try {
    const answer = await client.send({
      method: 'POST',
      path: '/graphql/',
      headers: {
        'Content-Type': 'application/json',
        Authorization: key === undefined ? null : `Token ${key}`,
      },
      body: Buffer.from(
        JSON.stringify({
          query,
          ...(variables !== null && { variables }),
          ...(operationName !== undefined && { operationName }),
        }),
      ),
    })
    return compareAnswer(recording, answer)
  } catch (error) {
    return [unanswered(error)]
  }
}

/** Differences of an answer from the recorded one. */
export function compareAnswer(
  { status, body }: Pick<GraphqlRecording, 'status' | 'body'>,
  answer: Answer,
): Difference[] {
  const wrong = compareStatus(status, answer)
  if (wrong) return [wrong]
  if (!isObject(body)) return textOf(answer) === body ? [] : [{ cause: 'the text differs' }]
  const given = jsonOf(answer)
  if (given === undefined || !isObject(given)) return [{ cause: 'the answer is not an object' }]
  const [wanted, found] = [firstKind(body), firstKind(given)]
  // If the reference failed, every response is correct, even a refusal, as with its server errors.
  if (wanted === FAILED) return []
  if (wanted !== found) {
    const cause = `${found} instead of ${wanted}`
    return [{ cause, expected: short(body), actual: short(given) }]
  }
  return differencesOf(compare(compared(body.data), compared(given.data), literal))
}

/** Positions in trees as the reference stores them, on which nothing else depends. */
const PLACES: ReadonlySet<string> = new Set(['lft', 'rght', 'tree_id', 'level'])

function compared(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(compared)
  if (!isObject(value)) return value ?? null
  const parts = Object.entries(value).filter(([name]) => !PLACES.has(name))
  return Object.fromEntries(parts.map(([name, part]) => [name, compared(part)]))
}

/** `answered`, or the kind of the first error. */
function firstKind({ errors }: JsonObject): string {
  const [first] = Array.isArray(errors) ? errors : []
  if (first === undefined) return 'answered'
  const message: Json = isObject(first) ? (first.message ?? '') : ''
  return `refused (${errorKind(String(message))})`
}

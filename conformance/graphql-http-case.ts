import type { Difference } from './difference.ts'
import { compareAnswer } from './graphql-case.ts'
import { type Answer, type Client, type Headers, mediaType, textOf } from './http-client.ts'
import { isObject, short } from './json.ts'
import type { GraphqlHttpRecording } from './recordings.ts'
import { compareStatus, unanswered } from './status.ts'

/** The media type of recorded requests that do not specify one. */
const USUAL = 'application/json'

/** Bodies that were too long for the recording. */
const OMITTED = /^<\d+ bytes>$/

/** Whether the recording can be replayed: it has its request, with the whole body. */
export const isReplayable = ({ request }: GraphqlHttpRecording): boolean =>
  request !== undefined && !OMITTED.test(request.body ?? '')

/** Sends a recorded request unchanged, and compares status, media type, redirect target and body. */
export async function runGraphqlHttp(
  { request, response }: GraphqlHttpRecording,
  client: Client,
): Promise<Difference[]> {
  if (!request || !response) return [{ cause: 'nothing was recorded' }]
  const { method, path, body } = request
  try {
    const answer = await client.send({
      ...{ method, path, headers: headersOf(request) },
      body: body === null ? undefined : Buffer.from(body),
    })
    return compareResponse(response, answer)
  } catch (error) {
    return [unanswered(error)]
  }
}

function headersOf({ headers, body }: NonNullable<GraphqlHttpRecording['request']>): Headers {
  const { 'Content-Type': type = body === null ? '' : USUAL, ...others } = headers
  return {
    // The client's own headers are left out if the recorded request had none.
    ...{ Authorization: null, Accept: null },
    ...others,
    'Content-Type': type === '' ? null : type,
  }
}

function compareResponse(
  { status, headers, body }: NonNullable<GraphqlHttpRecording['response']>,
  answer: Answer,
): Difference[] {
  const wrong = compareStatus(status, answer)
  if (wrong) return [wrong]
  if (status >= 500) return []
  const differences: Difference[] = []
  const type = String(headers['Content-Type'] ?? '').split(';')[0]
  if (body !== '' && mediaType(answer) !== type) {
    differences.push({
      cause: 'the media type differs',
      expected: short(type ?? ''),
      actual: mediaType(answer),
    })
  }
  if (headers.Location !== undefined && answer.headers.location !== headers.Location) {
    differences.push({ cause: 'the location differs', expected: headers.Location })
  }
  if (body === undefined) return differences
  if (isObject(body)) return [...differences, ...compareAnswer({ status, body }, answer)]
  const text = textOf(answer)
  if (text === body) return differences
  return [...differences, { cause: 'the text differs', expected: short(body), actual: text }]
}

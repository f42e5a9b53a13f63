import type { Difference } from './difference.ts'
import { errorKeys } from './error-keys.ts'
import { type Answer, jsonOf, mediaType, textOf } from './http-client.ts'
import { short } from './json.ts'

/**
 * The difference between a recorded status and that of a response; undefined if they match. If the reference failed
 * (5xx), every response but a server error is correct.
 */
export function compareStatus(recorded: number, answer: Answer): Difference | undefined {
  if (recorded >= 500) {
    if (answer.status >= 200 && answer.status < 500) return undefined
    return { cause: `status ${answer.status} where any 2xx or 4xx would do`, actual: told(answer) }
  }
  if (answer.status === recorded) return undefined
  const keys = answer.status >= 400 ? ` {${errorKeys(jsonOf(answer)).join(', ')}}` : ''
  return {
    cause: `status ${answer.status} instead of ${recorded}${keys}`,
    expected: String(recorded),
    actual: told(answer),
  }
}

function told(answer: Answer): string {
  const body = jsonOf(answer)
  const text = body === undefined ? `${mediaType(answer)} ${textOf(answer).slice(0, 120)}` : short(body)
  return `${answer.status} ${text}`
}

/** The difference for a request without a response. */
export function unanswered(error: unknown): Difference {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  const message = error instanceof Error ? error.message : String(error)
  return { cause: `not answered: ${code ?? message}`, actual: message }
}

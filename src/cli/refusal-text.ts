import type { ApiError } from '../base/errors.ts'

/** Why the API refuses something: a line for each message. */
export const refusalText = ({ reason, message }: ApiError): string =>
  reason.kind === 'invalid' ? sentencesOf(reason.messages).join('\n') : message

/** The messages of a refusal, a line for each, after the place to which it refers: `dcim.site, 1, slug: …`. */
function sentencesOf(messages: unknown, place: readonly string[] = []): readonly string[] {
  if (Array.isArray(messages)) {
    const isList = messages.some((message) => typeof message === 'object')
    return messages.flatMap((message, index) => sentencesOf(message, isList ? [...place, String(index + 1)] : place))
  }
  if (typeof messages === 'object' && messages !== null) {
    return Object.entries(messages).flatMap(([name, value]) =>
      sentencesOf(value, WHOLE.has(name) ? place : [...place, name]),
    )
  }
  return [place.length === 0 ? String(messages) : `${place.join(', ')}: ${messages}`]
}

/** Names under which a refusal puts messages about the whole document or object. */
const WHOLE: ReadonlySet<string> = new Set(['objects', 'non_field_errors', '__all__'])

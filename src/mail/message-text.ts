import { isJsonObject, type Json } from '../schema/json.ts'
import { type RecordedEvent, recordedText } from './recorded-event.ts'

const LONGEST_SUBJECT = 200
const LONGEST_VALUE = 200

/** The content of a message besides the event itself. */
export interface MessageContent {
  /** Name of the object's model, for people: "site". */
  readonly objectType: string
  /** The object's name; empty where it has none. */
  readonly display: string
  /** Name of the rule. */
  readonly rule: string
}

/** Subject of the e-mail about an event: "Object updated: site Amsterdam". */
export const messageSubject = (event: RecordedEvent, content: MessageContent): string =>
  shortened(`${labelOf(event)}: ${objectOf(content)}`, LONGEST_SUBJECT)

/** Text of the e-mail about an event. */
export function messageBody(event: RecordedEvent, content: MessageContent): string {
  const hasPage = event.event === 'object_created' || event.event === 'object_updated'
  const link = hasPage
    ? (recordedText(event, 'display_url') ?? recordedText(event, 'url'))
    : undefined
  const lines = [
    `${labelOf(event)}: ${objectOf(content)}`,
    '',
    ...(event.username ? [`By: ${event.username}`] : []),
    `Time: ${event.timestamp}`,
    ...(link === undefined ? [] : [`Link: ${link}`]),
    `Event rule: ${oneLine(content.rule)}`,
  ]
  const changes = changedFields(event)
  if (changes.length > 0) lines.push('', 'Changed fields:', ...changes)
  return `${lines.join('\n')}\n`
}

/** `object_created` → "Object created". */
const labelOf = ({ event }: RecordedEvent): string =>
  `${event.slice(0, 1).toUpperCase()}${event.slice(1).replaceAll('_', ' ')}`

const objectOf = ({ objectType, display }: MessageContent): string =>
  oneLine(`${objectType} ${display}`).trim()

/** A line for each field that an update has changed. */
function changedFields({ before, after }: RecordedEvent): readonly string[] {
  if (!isJsonObject(before) || !isJsonObject(after)) return []
  return Object.keys({ ...before, ...after })
    .filter((name) => name !== 'last_updated' && !name.startsWith('_'))
    .map((name) => [name, shown(before[name]), shown(after[name])] as const)
    .filter(([, old, next]) => old !== next)
    .map(([name, old, next]) => `- ${name}: ${shortOf(old)} → ${shortOf(next)}`)
}

const shown = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null)

const shortOf = (text: string): string =>
  text === '' || text === 'null' ? '(empty)' : shortened(oneLine(text), LONGEST_VALUE)

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')

function shortened(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}

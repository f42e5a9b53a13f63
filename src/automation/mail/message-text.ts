import { isJsonObject, type Json } from '../../schema/json.ts'
import { shortened } from '../../schema/shortened.ts'
import { type RecordedEvent, recordedText } from './recorded-event.ts'

const LONGEST_SUBJECT = 200
const LONGEST_VALUE = 200

/** Maximum number of events that a digest names; the others are counted. */
const MOST_NAMED = 50

/** How a message names the object of an event. */
export interface EventContent {
  /** Name of the object's model, for people: "site". */
  readonly objectType: string
  /** The object's name; empty if it has none. */
  readonly display: string
}

/** A message about the events of one request: one event with its changes, or several by name. */
export class Digest {
  readonly #rule: string
  #first: { readonly event: RecordedEvent; readonly content: EventContent } | undefined
  readonly #named: string[] = []
  /** Number of events by their kind and type: "site created". */
  readonly #counts = new Map<string, number>()
  #count = 0

  /** `rule`: name of the event rule. */
  constructor(rule: string) {
    this.#rule = rule
  }

  get count(): number {
    return this.#count
  }

  add(event: RecordedEvent, content: EventContent): void {
    this.#first ??= { event, content }
    this.#count += 1
    const kind = `${content.objectType} ${event.event.replace('object_', '').replaceAll('_', ' ')}`
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
    if (this.#named.length < MOST_NAMED) {
      const link = linkOf(event)
      this.#named.push(`- ${titleOf(event, content)}${link === undefined ? '' : ` (${link})`}`)
    }
  }

  /**
   * "Object updated: site Amsterdam", or "203 events: 200 site created, 3 rack updated". There must be at least one
   * event.
   */
  get message(): { readonly subject: string; readonly text: string } {
    if (!this.#first) throw new Error('A message is about an event')
    const { event, content } = this.#first
    const counts = [...this.#counts].map(([kind, count]) => `${count} ${kind}`).join(', ')
    const title = this.#count === 1 ? titleOf(event, content) : `${this.#count} events: ${oneLine(counts)}`
    const link = this.#count === 1 ? linkOf(event) : undefined
    const lines = [
      title,
      '',
      ...(event.username ? [`By: ${event.username}`] : []),
      ...(event.date ? [`Date: ${event.date.field} ${event.date.value}`] : []),
      `Time: ${event.timestamp}`,
      ...(link === undefined ? [] : [`Link: ${link}`]),
      `Event rule: ${oneLine(this.#rule)}`,
      ...(this.#count === 1 ? withHeading('Changed fields:', changedFields(event)) : this.#list()),
    ]
    return {
      subject: plainSubject(shortened(title, LONGEST_SUBJECT)),
      text: `${lines.join('\n')}\n`,
    }
  }

  #list(): readonly string[] {
    const omitted = this.#count - this.#named.length
    return withHeading('Events:', [...this.#named, ...(omitted > 0 ? [`… and ${omitted} more.`] : [])])
  }
}

const withHeading = (heading: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', heading, ...lines]

/** Mail programs would decode a text that looks like an encoded word (RFC 2047), and show something else. */
const plainSubject = (text: string): string => text.replaceAll('=?', '= ?')

/** "Object created: site Amsterdam". */
const titleOf = (event: RecordedEvent, content: EventContent): string => `${labelOf(event)}: ${objectOf(content)}`

/** Events after which the object exists. */
const PAGED: ReadonlySet<string> = new Set(['object_created', 'object_updated', 'date_reached'])

/** Path of the object's page; undefined if it has none. */
function linkOf(event: RecordedEvent): string | undefined {
  const hasPage = PAGED.has(event.event)
  return hasPage ? (recordedText(event, 'display_url') ?? recordedText(event, 'url')) : undefined
}

/** `object_created` → "Object created". */
const labelOf = ({ event }: RecordedEvent): string =>
  `${event.slice(0, 1).toUpperCase()}${event.slice(1).replaceAll('_', ' ')}`

const objectOf = ({ objectType, display }: EventContent): string => oneLine(`${objectType} ${display}`).trim()

/** A line for each changed field of an update. */
function changedFields({ before, after }: RecordedEvent): readonly string[] {
  if (!isJsonObject(before) || !isJsonObject(after)) return []
  return Object.keys({ ...before, ...after })
    .filter((name) => name !== 'last_updated' && !name.startsWith('_'))
    .map((name) => [name, textOfValue(before[name]), textOfValue(after[name])] as const)
    .filter(([, old, next]) => old !== next)
    .map(([name, old, next]) => `- ${name}: ${shortOf(old)} → ${shortOf(next)}`)
}

const textOfValue = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null)

const shortOf = (text: string): string =>
  text === '' || text === 'null' ? '(empty)' : shortened(oneLine(text), LONGEST_VALUE)

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')

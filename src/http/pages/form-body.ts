import type { Control, SentAs } from '../../pages/control.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import type { FormValues } from '../transport/body.ts'

/** A value that cannot be what its field takes, such as a document that is no JSON. */
export type EntryErrors = ReadonlyMap<string, readonly string[]>

/** The body of a write that a submitted form asks for. */
export interface FormBody {
  readonly body: Readonly<Record<string, Json>>
  readonly errors: EntryErrors
}

/** Values of the form as the API takes them, for these controls. Names such as `custom_fields.x` become documents. */
export function bodyOfForm(controls: readonly Control[], form: FormValues): FormBody {
  const body: Record<string, Json> = {}
  const errors = new Map<string, readonly string[]>()
  for (const { name, sentAs = 'text' } of controls) {
    const texts = (form.get(name) ?? []).filter((each) => typeof each === 'string')
    if (sentAs === 'file') continue
    try {
      place(body, name, READERS[sentAs](texts))
    } catch {
      errors.set(name, ['This is not valid JSON.'])
    }
  }
  return { body, errors }
}

function place(body: Record<string, Json>, name: string, value: Json): void {
  const point = name.indexOf('.')
  if (point < 0) {
    body[name] = value
    return
  }
  const outer = name.slice(0, point)
  const inner = body[outer]
  body[outer] = { ...(isJsonObject(inner) ? inner : {}), [name.slice(point + 1)]: value }
}

type Texts = readonly string[]

const last = (texts: Texts): string => texts.at(-1) ?? ''
const filled = (texts: Texts): string[] => texts.filter((text) => text.trim() !== '')
/** Numbers are sent as they are written, so that the API tells what is wrong with them. */
const number = (text: string): Json => {
  const trimmed = text.trim()
  return trimmed === '' || Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed)
}
const orNull = <T extends Json>(text: string, read: (text: string) => T): T | null =>
  text.trim() === '' ? null : read(text)

const READERS: Readonly<Record<Exclude<SentAs, 'file'>, (texts: Texts) => Json>> = {
  text: (texts) => lines(last(texts)),
  textOrNull: (texts) => orNull(last(texts), lines),
  number: (texts) => orNull(last(texts), number),
  boolean: (texts) => BOOLEANS[last(texts)] ?? false,
  id: (texts) => orNull(last(texts), number),
  ids: (texts) => filled(texts).map(number),
  words: filled,
  lines: (texts) => filled(texts.flatMap((text) => text.split(/\r?\n/))).map((text) => text.trim()),
  numbers: (texts) => filled(texts.flatMap((text) => text.split(','))).map(number),
  json: (texts) => orNull(last(texts), (text) => JSON.parse(text) as Json), // a document of the user's
}

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false }

/** Browsers send line breaks as CR LF; what is stored has LF alone. */
const lines = (text: string): string => text.replaceAll('\r\n', '\n')

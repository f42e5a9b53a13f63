import type { FormValues } from '../../api/transport/body.ts'
import { cellItems, rangesCell, textPairs } from '../../schema/fields/list.ts'
import type { GenericKeys } from '../../schema/generic-keys.ts'
import { asPlain, isJsonObject, type Json, type JsonObject, parseJson } from '../../schema/json.ts'
import { UploadedFile } from '../../schema/uploaded-file.ts'
import type { Control, SentAs } from '../components/control.ts'
import { translate } from '../texts/translate.ts'
import { partsOfTypedId } from './fields/typed-id.ts'
import { textsIn } from './form-texts.ts'
import { kbpsIn } from './speed-entry.ts'

/** A value that its field cannot accept, such as a document that is not JSON. */
export type EntryErrors = ReadonlyMap<string, readonly string[]>

/** A value of a body; files of a form are included as uploaded. */
export type BodyValue = Json | UploadedFile

/** The request body for a submitted form. */
export interface FormBody {
  readonly body: Readonly<Record<string, BodyValue>>
  readonly errors: EntryErrors
}

/** Values of the form in the API's notation, for these controls. Names such as `custom_fields.x` become documents. */
export function bodyOfForm(controls: readonly Control[], form: FormValues): FormBody {
  const body: Record<string, BodyValue> = {}
  const errors = new Map<string, readonly string[]>()
  for (const { name, sentAs = 'text', keys } of controls) {
    const texts = textsIn(form, name)
    if (sentAs === 'none') continue
    if (sentAs === 'typedId') {
      if (keys) Object.assign(body, typedObject(keys, last(texts)))
      continue
    }
    if (sentAs === 'file') {
      const file = fileIn(form, name)
      if (file !== undefined) body[name] = file
      continue
    }
    try {
      const value =
        sentAs === 'typedIds'
          ? typedIds(form, name)
          : sentAs === 'links'
            ? linksOf(name, texts)
            : READERS[sentAs](texts)
      const isCustom = name.startsWith('custom_fields.')
      // If no value is selected, the custom field has none, so that filters find it as empty.
      const isCleared = isCustom && sentAs !== 'json' && isEmptyList(value)
      // Only documents and custom fields keep a number as it is written, such as 1.0.
      const isExact = isCustom || sentAs === 'json'
      place(body, name, isCleared ? null : isExact ? value : (asPlain(value) as Json))
    } catch (error) {
      const isKnown = error instanceof UnreadableText
      errors.set(name, [isKnown ? error.message : translate('This is not valid JSON.')])
    }
  }
  return { body, errors }
}

/** A text that its field cannot accept; the message says what to write. */
class UnreadableText extends Error {}

const isEmptyList = (value: Json): boolean => Array.isArray(value) && value.length === 0

/** The uploaded file; null to remove the stored one; undefined to keep it. */
function fileIn(form: FormValues, name: string): UploadedFile | null | undefined {
  const file = form.get(name)?.find((candidate) => candidate instanceof UploadedFile)
  if (file !== undefined && file.bytes.length > 0) return file
  return textsIn(form, CLEAR).includes(name) ? null : undefined
}

/** Name under which a form lists the files to remove. */
const CLEAR = '_clear'

/** An object of any type, under two names; text that is none is sent as it is, so that the API refuses it. */
function typedObject({ type, id }: GenericKeys, text: string): JsonObject {
  const parts = partsOfTypedId(text)
  return { [type]: parts?.type ?? (text || null), [id]: parts ? number(parts.id) : null }
}

/** Objects of one type, such as the ends of a cable. */
function typedIds(form: FormValues, name: string): Json {
  const type = last(textsIn(form, `${name}_type`))
  return filled(textsIn(form, name)).map((id) => ({ object_type: type, object_id: number(id) }))
}

/** Links from the positions of a port, in order, to those of other ports: `port:position`. */
function linksOf(name: string, texts: readonly string[]): Json {
  const port = name.replace(/s$/, '')
  return filled(texts).map((text, index) => {
    const [id = '', position = ''] = text.split(':')
    return { position: index + 1, [port]: number(id), [`${port}_position`]: number(position) }
  })
}

function place(body: Record<string, BodyValue>, name: string, value: Json): void {
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
/** Numbers are sent as entered, so that the API reports errors in them. */
const number = (text: string): Json => {
  const trimmed = text.trim()
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(trimmed) ? (parseJson(trimmed) as Json) : trimmed
}
const orNull = <T extends Json>(text: string, read: (text: string) => T): T | null =>
  text.trim() === '' ? null : read(text)

const READERS: Readonly<
  Record<Exclude<SentAs, 'file' | 'none' | 'typedIds' | 'typedId' | 'links'>, (texts: Texts) => Json>
> = {
  text: (texts) => lines(last(texts)),
  textOrNull: (texts) => orNull(last(texts), lines),
  number: (texts) => orNull(last(texts), number),
  speed: (texts) => orNull(last(texts), (text) => number(kbpsIn(text))),
  offset: ([amount = '', direction]) =>
    orNull(amount, (text) => {
      const time = number(text)
      return direction === 'before' && typeof time === 'number' && time !== 0 ? -time : time
    }),
  // An unchecked checkbox sends nothing; a list without a choice sends an empty text.
  boolean: (texts) => (texts.length === 0 ? false : (BOOLEANS[last(texts)] ?? null)),
  id: (texts) => orNull(last(texts), number),
  ids: (texts) => filled(texts).map(number),
  words: filled,
  openWords: (texts) => [...new Set(filled(texts.flatMap((text) => text.split(/[\s,;]+/))))],
  lines: (texts) => linesIn(texts),
  numbers: (texts) => filled(texts.flatMap((text) => text.split(','))).flatMap(numbersIn),
  ranges: (texts) => {
    const ranges = rangesCell(cellItems(texts.join(',')))
    if ('message' in ranges) {
      throw new UnreadableText(translate('Write ranges of numbers, such as 1-100,200.'))
    }
    return ranges.value as Json // pairs of numbers
  },
  pairs: (texts) => textPairs(linesIn(texts)) as Json, // pairs of texts
  entries: (texts) => (linesIn(texts).length === 0 ? null : Object.fromEntries(linesIn(texts).map(entryIn))),
  json: (texts) => orNull(last(texts), (text) => parseJson(text) as Json), // a document of the user's
}

const linesIn = (texts: Texts): readonly string[] =>
  filled(texts.flatMap((text) => text.split(/\r?\n/))).map((text) => text.trim())

/** Maximum number of values in a range. */
const MOST_NUMBERS = 1_000

/** A number, or all of a range: `40-44`. */
function numbersIn(text: string): readonly Json[] {
  const [, low, high] = /^\s*(\d{1,9})\s*-\s*(\d{1,9})\s*$/.exec(text) ?? []
  const count = Number(high) - Number(low) + 1
  if (low === undefined || !(count >= 1 && count <= MOST_NUMBERS)) return [number(text)]
  return Array.from({ length: count }, (_, index) => Number(low) + index)
}

/** `name: value`. */
function entryIn(line: string): readonly [string, string] {
  const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
  if (name === undefined) {
    throw new UnreadableText(translate('Write a name, a colon and a value on each line.'))
  }
  return [name.trim(), value ?? '']
}

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false }

/** Browsers send line breaks as CR LF; stored texts only have LF. */
const lines = (text: string): string => text.replaceAll('\r\n', '\n')

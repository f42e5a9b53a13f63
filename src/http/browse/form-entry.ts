import type { Chosen, InputControl, SentAs } from '../../pages/control.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'

/** How a field is entered, and what the script makes of it. */
export type FormEntry = readonly [InputControl, SentAs]

/** What a list is called while nothing of it is chosen. */
export const NONE = '—'

/** A document, to be edited as JSON. */
export const documentEntry = (value: Json | undefined): FormEntry => [
  {
    kind: 'lines',
    value: value === undefined || value === null ? '' : JSON.stringify(value, null, 2),
    rows: 4,
  },
  'json',
]

/** A value as a text field shows it: of a choice its value, of nothing nothing. */
export function entryText(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  if (isJsonObject(value)) return entryText(value.value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The items of a list as texts. */
export const textsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.map(entryText) : []

/** Related objects as an answer shows them: nested, or by their keys. */
export const chosenOf = (value: Json | undefined, key = 'id'): readonly Chosen[] =>
  [value ?? []]
    .flat()
    .map((each) =>
      isJsonObject(each)
        ? { value: entryText(each[key]), label: entryText(each.display) }
        : { value: entryText(each) },
    )

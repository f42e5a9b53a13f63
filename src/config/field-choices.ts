import { parseJsonSetting, type ValueType } from './value-types.ts'

/** `[value, label]` or `[value, label, colour]`. */
type ConfiguredChoice = readonly [string, string] | readonly [string, string, string]

/** Choices by field: `dcim.Site.status` replaces, `dcim.Site.status+` extends. */
export type FieldChoices = Readonly<Record<string, readonly ConfiguredChoice[]>>

const COLOUR = /^([a-z][a-z-]*|#?[\da-f]{6})$/i
const LONGEST_VALUE = 50

export const fieldChoices: ValueType<FieldChoices> = {
  expects:
    'a JSON object such as {"dcim.Site.status+": [["maintenance", "Maintenance", "orange"]]}: lists of value, label and colour by field',
  parse: (text) => {
    const value = parseJsonSetting(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return Object.values(value).every(isChoiceList) ? (value as FieldChoices) : undefined
  },
}

const isChoiceList = (list: unknown): boolean => Array.isArray(list) && list.length > 0 && list.every(isChoice)

function isChoice(row: unknown): boolean {
  if (!Array.isArray(row) || row.length < 2 || row.length > 3) return false
  const [value, label, colour = 'gray']: readonly unknown[] = row
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= LONGEST_VALUE &&
    typeof label === 'string' &&
    typeof colour === 'string' &&
    COLOUR.test(colour)
  )
}

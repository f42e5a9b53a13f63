/** How values of a custom field are stored in JSON, for comparisons. */
export type Shape = 'text' | 'texts' | 'number' | 'numbers' | 'date' | 'dateTime' | 'boolean'

/** By the type of the field. */
export const SHAPES = {
  text: 'text',
  longtext: 'text',
  url: 'text',
  select: 'text',
  multiselect: 'texts',
  integer: 'number',
  decimal: 'number',
  object: 'number',
  multiobject: 'numbers',
  date: 'date',
  datetime: 'dateTime',
  boolean: 'boolean',
} as const satisfies Record<string, Shape>

/** Types of custom fields that can be filtered by: all but json. */
export type FilterableType = keyof typeof SHAPES
export const isFilterableType = (type: string): type is FilterableType => type in SHAPES

/** A custom field as filters know it. */
export interface FilterableField {
  readonly name: string
  readonly type: FilterableType
  /** Texts are matched by any part of them. */
  readonly isLoose: boolean
  /** Model of the objects whose ids are the values; undefined if the values are not ids. */
  readonly related?: string | undefined
}

/** The lookups for the field's values: those of texts, of numbers, or none. */
export function lookupFamily({ type, isLoose }: FilterableField): 'text' | 'number' | 'none' {
  const shape = SHAPES[type]
  if (shape === 'boolean') return 'none'
  if (shape === 'texts' || type === 'select') return 'text'
  // The bare parameter already matches any part: NetBox gives such texts no lookups.
  if (shape === 'text') return isLoose ? 'none' : 'text'
  return 'number'
}

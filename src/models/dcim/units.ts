import { decimal, integer } from '../../schema/field.ts'

type Row = Readonly<Record<string, unknown>>

const METRES: ReadonlyMap<unknown, number> = new Map([
  ['km', 1000],
  ['m', 1],
  ['cm', 0.01],
  ['mi', 1609.344],
  ['ft', 0.3048],
  ['in', 0.0254],
])
const GRAMS: ReadonlyMap<unknown, number> = new Map([
  ['kg', 1000],
  ['g', 1],
  ['lb', 453.592],
  ['oz', 28.3495],
])

/** Length in metres with four decimal places; null unless both value and unit are set. */
export const absoluteLength =
  (value: string, unit: string) =>
  (row: Row): string | null => {
    const factor = METRES.get(row[unit])
    return row[value] === null || row[value] === undefined || factor === undefined
      ? null
      : (Number(row[value]) * factor).toFixed(4)
  }

/** Weight in whole grams, truncated; null unless the value is other than zero and has a unit. */
export const absoluteWeight =
  (value: string, unit: string) =>
  (row: Row): number | null => {
    const factor = GRAMS.get(row[unit])
    const weight = Number(row[value] ?? 0)
    return weight === 0 || factor === undefined ? null : Math.trunc(weight * factor)
  }

/** Hidden field with a weight in grams, by which weights of different units are compared. */
export const storedGrams = (value: string, unit: string) =>
  integer({
    size: 'big',
    range: [0, Number.MAX_SAFE_INTEGER],
    nullable: true,
    hidden: true,
    compute: absoluteWeight(value, unit),
  })

/** Hidden field with a length in metres. */
export const storedMetres = (value: string, unit: string, digits = 13) =>
  decimal({
    digits,
    places: 4,
    nullable: true,
    hidden: true,
    compute: absoluteLength(value, unit),
  })

/** A value that a choice field stores: text, or a number if responses show one (rack width, speed). */
export type ChoiceValue = string | number

/** One allowed value with its label and colour. */
export interface Choice<Value extends ChoiceValue = ChoiceValue> {
  readonly value: Value
  readonly label: string
  readonly colour?: string
}

/** The closed list of values that a choice field accepts, in the order in which OPTIONS lists them. */
export interface ChoiceSet<Value extends ChoiceValue = ChoiceValue> {
  readonly list: readonly Choice<Value>[]
  readonly labels: ReadonlyMap<ChoiceValue, string>
}

/** `[value, label]` or `[value, label, colour]`. */
export type ChoiceRow<Value extends ChoiceValue> = readonly [Value, string] | readonly [Value, string, string]

/** A choice set built from its rows. Throws for a value that occurs twice. */
export function choices<const Value extends ChoiceValue>(rows: readonly ChoiceRow<Value>[]): ChoiceSet<Value> {
  const list = rows.map(([value, label, colour]) =>
    Object.freeze(colour === undefined ? { value, label } : { value, label, colour }),
  )
  const labels = new Map<ChoiceValue, string>(list.map(({ value, label }) => [value, label]))
  if (labels.size !== list.length) throw new Error(`A choice is declared twice in ${[...labels.keys()]}`)
  return Object.freeze({ list: Object.freeze(list), labels })
}

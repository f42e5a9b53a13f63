import type { ApiVersion } from '../base/api-version.ts'
import { isJsonObject } from './json.ts'

/** Labels by value. */
export type Labels = ReadonlyMap<string, string>

/** The chosen value of a selection in custom fields, as a version of the API shows it. */
export const CHOSEN: Readonly<Record<ApiVersion, (value: unknown, labels: Labels) => unknown>> = {
  '4.6': (value) => value,
  '4.7': (value, labels) => ({ value, label: labels.get(String(value)) ?? value }),
}

/** The value that a body has chosen, in the form of either version. */
export const chosenValue = (input: unknown): unknown =>
  isJsonObject(input) && 'value' in input && 'label' in input ? input.value : input

import type { ChoiceSet } from '../../../schema/choices.ts'
import { appTitleOf } from '../../../schema/class-name.ts'
import { isJsonObject, type Json } from '../../../schema/json.ts'
import type { Model } from '../../../schema/registry.ts'
import type { Chosen, InputControl, Option, SentAs } from '../../components/control.ts'
import { shownTitle } from '../../components/model-title.ts'
import { translate, translateLabel } from '../../texts/translate.ts'

/** The form control of a field, and how the script encodes its value. */
export type FormEntry = readonly [InputControl, SentAs]

/** Label of an empty selection. */
export const NONE = '—'

/** The values of a boolean. */
export const yesOrNoOptions = (): readonly Option[] => [
  { value: 'true', label: translate('Yes') },
  { value: 'false', label: translate('No') },
]

/** A text area for a JSON document. */
export const documentEntry = (value: Json | undefined): FormEntry => [
  {
    kind: 'lines',
    value: value === undefined || value === null ? '' : JSON.stringify(value, null, 2),
    rows: 4,
  },
  'json',
]

/** Text of a value in a text field: the value of a choice, an empty text for null. */
export function entryText(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  if (isJsonObject(value)) return entryText(value.value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The items of a list as texts. */
export const textsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.map(entryText) : []

/** Related objects in a response as options: nested objects, or bare keys. */
export const chosenOf = (value: Json | undefined, key = 'id'): readonly Chosen[] =>
  [value ?? []]
    .flat()
    .map((part) =>
      isJsonObject(part) ? { value: entryText(part[key]), label: entryText(part.display) } : { value: entryText(part) },
    )

/** The choices of a field as options of a form. */
export const optionsOf = ({ list }: ChoiceSet): readonly Option[] =>
  list.map(({ value, label, colour }) => ({ value: String(value), label: translateLabel(label), colour }))

/** Object types as options of a form, sorted by label; those of the same name are told apart by their app. */
export function typeOptions(models: Iterable<Model>): readonly Option[] {
  const byTitle = Map.groupBy(
    [...models].filter(({ definition }) => !definition.private),
    shownTitle,
  )
  return [...byTitle]
    .flatMap(([title, same]) =>
      same.map((model) => ({
        value: model.name,
        label: same.length === 1 ? title : `${title} (${translateLabel(appTitleOf(model))})`,
        ...(model.path !== '' && { collection: `/api/${model.path}/` }),
      })),
    )
    .sort((a, b) => a.label.localeCompare(b.label))
}

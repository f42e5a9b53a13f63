import type { ChoiceSet } from '../../../schema/choices.ts'
import { appTitleOf, titleOf } from '../../../schema/class-name.ts'
import type { Model } from '../../../schema/registry.ts'
import type { Option } from '../../components/control.ts'
import { translateLabel } from '../../texts/translate.ts'

/** The choices of a field as options of a form. */
export const optionsOf = ({ list }: ChoiceSet): readonly Option[] =>
  list.map(({ value, label }) => ({ value: String(value), label: translateLabel(label) }))

/** Object types as options of a form, sorted by label. */
export const typeOptions = (models: Iterable<Model>): readonly Option[] =>
  [...models]
    .filter(({ definition }) => !definition.private)
    .map((model) => ({
      value: model.name,
      label: `${translateLabel(appTitleOf(model))} › ${translateLabel(titleOf(model))}`,
      ...(model.path !== '' && { collection: `/api/${model.path}/` }),
    }))
    .sort((a, b) => (a.label < b.label ? -1 : 1))

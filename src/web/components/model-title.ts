import { appTitleOf, pluralTitleOf, titleOf } from '../../schema/class-name.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { sentenceCase, translateLabel } from '../texts/translate.ts'

/** The title of a model in the language of the page: `Circuit group`. */
export const shownTitle = (model: Model): string => sentenceCase(titleOf(model))

/** The title of a model among those of others with the same title: `Interface (virtual machine)`. */
export function distinctTitle(registry: Registry, model: Model): string {
  const [owner] = registry.view(model).context ?? []
  const field = owner === undefined ? undefined : model.fields.get(owner)
  const of = field?.kind === 'foreignKey' ? shownNoun(registry.model(field.to)) : translateLabel(appTitleOf(model))
  return `${shownTitle(model)} (${of})`
}

/** The plural title of a model in the language of the page: `Circuit groups`. */
export const shownPlural = (model: Model): string => sentenceCase(pluralTitleOf(model))

/** The title of a model within a sentence: `circuit group`. */
export const shownNoun = ({ definition }: Model): string => translateLabel(definition.labels[0])

/** The plural title of a model within a sentence: `circuit groups`. */
export const shownPluralNoun = ({ definition }: Model): string => translateLabel(definition.labels[1])

/** The noun for this number of objects: `circuit groups`. */
export const countedNoun = (model: Model, count: number): string =>
  count === 1 ? shownNoun(model) : shownPluralNoun(model)

/** Plurals of these models; plurals that several of them share are followed by the name of their app. */
export function pluralsApart(models: readonly Model[]): (model: Model) => string {
  return (model) => {
    const plural = shownPlural(model)
    const isShared = models.some((other) => other !== model && shownPlural(other) === plural)
    return isShared ? `${plural} (${translateLabel(appTitleOf(model))})` : plural
  }
}

/** The models with pages as options of a list, ordered by title; `isOffered` leaves some out. */
export const modelOptions = ({ models }: Registry, isOffered: (model: Model) => boolean = () => true) =>
  [...models.values()]
    .filter((model) => pagePathOf(model) !== undefined && isOffered(model))
    .map((model) => ({ value: model.name, label: shownPlural(model) }))
    .toSorted((left, right) => left.label.localeCompare(right.label))

import { pluralTitleOf, titleOf } from '../../schema/class-name.ts'
import type { Model } from '../../schema/registry.ts'
import { translateLabel } from '../texts/translate.ts'

/** The title of a model in the language of the page: `Circuit Group`. */
export const shownTitle = (model: Model): string => translateLabel(titleOf(model))

/** The plural title of a model in the language of the page: `Circuit Groups`. */
export const shownPlural = (model: Model): string => translateLabel(pluralTitleOf(model))

/** The title of a model within a sentence: `circuit group`. */
export const shownNoun = ({ definition }: Model): string => translateLabel(definition.labels[0])

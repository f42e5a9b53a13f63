import { pagePathOf } from '../../schema/page-path.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { shownPlural } from './model-title.ts'

/** The models that have pages as options of a list, in the order of their titles; `isOffered` leaves some out. */
export const modelOptions = (
  { models }: Registry,
  isOffered: (model: Model) => boolean = () => true,
) =>
  [...models.values()]
    .filter((model) => pagePathOf(model) !== undefined && isOffered(model))
    .map((model) => ({ value: model.name, label: shownPlural(model) }))
    .toSorted((one, other) => one.label.localeCompare(other.label))

import type { Fields } from '../schema/field.ts'
import type { Definition } from '../schema/model.ts'
import { type NameOf, type RegisteredModel, type Registration, registered, titleCase, words } from '../schema/view.ts'

/** Parts of a view that differ from those derived from `heading`, `counts` and `fields`. */
interface GroupView<F extends Fields> extends Partial<Registration<F>> {
  /** Name of the model in the headings of its forms, if it is not the label in capitals. */
  readonly heading?: string
  /** Columns with numbers of related objects. */
  readonly counts?: readonly NameOf<F>[]
  /** The model's own fields. */
  readonly fields?: readonly NameOf<F>[]
}

/** The view of a model that `organizational` declares: a name, a slug, its specific `fields` and a description. */
export function organizationalModel<F extends Fields>(
  model: Definition<F>,
  { heading = titleCase(model.labels[0]), counts = [], fields = [], ...differences }: GroupView<F>,
): RegisteredModel {
  return registered<Fields, string>(model, {
    columns: ['name', ...counts, ...fields, 'description'],
    panels: ['name', 'description', ...fields],
    form: { [heading]: ['name', 'slug', ...fields, 'description', 'tags'] },
    search: { shown: ['description'] },
    ...differences,
  })
}

/** The view of a model that `nestedGroup` declares: groups of a tree, each with its parent and its children. */
export function nestedGroupModel<F extends Fields>(
  model: Definition<F>,
  { heading = titleCase(model.labels[0]), counts = [], ...differences }: Omit<GroupView<F>, 'fields'>,
): RegisteredModel {
  return registered<Fields, string>(model, {
    context: ['parent'],
    columns: ['name', ...counts, 'description'],
    panels: ['parent', 'name', 'description'],
    tables: [{ model: model.name, by: { parent_id: 'id' }, label: 'Child Groups' }],
    form: { [heading]: words('parent name slug description tags') },
    filters: { [heading]: ['parent_id'] },
    search: { shown: ['description'] },
    ...differences,
  })
}

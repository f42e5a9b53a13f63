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

const MORE_COLUMNS = words('slug comments tags created last_updated owner.group owner')
const OWNED = words('description owner.name comments tags.slug')

/** The view of a model that `organizational` declares: a name, a slug, its specific `fields` and a description. */
export function organizationalModel<F extends Fields>(
  model: Definition<F>,
  { heading = titleCase(model.labels[0]), counts = [], fields = [], ...differences }: GroupView<F>,
): RegisteredModel {
  return registered<Fields, string>(model, {
    columns: ['name', ...counts, ...fields, 'description'],
    moreColumns: ['id', ...MORE_COLUMNS],
    panels: ['name', 'description', ...fields],
    form: { [heading]: ['name', 'slug', ...fields, 'description', 'tags'] },
    bulkEdit: [...fields, 'description'],
    imports: ['name', 'slug', ...fields, ...OWNED],
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
    moreColumns: ['id', 'parent', ...MORE_COLUMNS],
    panels: ['parent', 'name', 'description'],
    tables: [{ model: model.name, by: { parent_id: 'id' }, label: 'Child Groups' }],
    form: { [heading]: words('parent name slug description tags') },
    filters: { [heading]: ['parent_id'] },
    bulkEdit: ['parent', 'description'],
    imports: ['name', 'slug', 'parent.name', ...OWNED],
    search: { shown: ['description'] },
    ...differences,
  })
}

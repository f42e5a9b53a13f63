import { fieldGroup, type ModelView, modelView } from '../schema/view.ts'

/** Parts of a view that differ from those that follow from `heading`, `counts` and `fields`. */
type Differences = Partial<Omit<ModelView, 'model' | 'labels'>>

interface GroupView extends Differences {
  /** Name of the model in the headings of its page, as in `Circuit Type`. */
  readonly heading: string
  /** Columns with numbers of related objects, and their headings. */
  readonly counts?: Readonly<Record<string, string>>
  /** The model's own fields. */
  readonly fields?: readonly string[]
}

const MORE_COLUMNS = ['slug', 'comments', 'tags', 'created', 'last_updated', 'owner.group', 'owner']
const OWNED = ['description', 'owner.name', 'comments', 'tags.slug']
const WEIGHTS = { name: 100, slug: 110, description: 500, comments: 5000 }

/** The view of a model that `organizational` declares: a name, a slug, its own `fields` and a description. */
export function organizationalView(
  model: string,
  { heading, counts = {}, fields = [], ...differences }: GroupView,
): ModelView {
  return modelView(model, {
    columns: ['name', ...Object.keys(counts), ...fields, 'description'],
    moreColumns: ['id', ...MORE_COLUMNS],
    labels: counts,
    panels: [[fieldGroup(sentenceCase(heading), ['name', 'description', ...fields])]],
    form: [fieldGroup(heading, ['name', 'slug', ...fields, 'description', 'tags'])],
    bulkEdit: [fieldGroup('', [...fields, 'description'])],
    imports: ['name', 'slug', ...fields, ...OWNED],
    search: { weights: WEIGHTS, shown: ['description'] },
    ...differences,
  })
}

/** The view of a model that `nestedGroup` declares: groups of a tree, each with its parent and its children. */
export function nestedGroupView(
  model: string,
  { heading, counts = {}, ...differences }: Omit<GroupView, 'fields'>,
): ModelView {
  return modelView(model, {
    context: ['parent'],
    columns: ['name', ...Object.keys(counts), 'description'],
    moreColumns: ['id', 'parent', ...MORE_COLUMNS],
    labels: counts,
    panels: [[fieldGroup(sentenceCase(heading), ['parent', 'name', 'description'])]],
    tables: [{ model, by: { parent_id: 'id' }, label: 'Child Groups' }],
    form: [fieldGroup(heading, ['parent', 'name', 'slug', 'description', 'tags'])],
    filters: [fieldGroup(heading, ['parent_id'])],
    bulkEdit: [fieldGroup('', ['parent', 'description'])],
    imports: ['name', 'slug', 'parent.name', ...OWNED],
    search: { weights: WEIGHTS, shown: ['description'] },
    ...differences,
  })
}

/** `Wireless LAN Group` → `Wireless LAN group`: words after the first in small letters, acronyms as they are. */
function sentenceCase(heading: string): string {
  return heading.replace(/(?<= )[A-Z](?![A-Z])/g, (letter) => letter.toLowerCase())
}

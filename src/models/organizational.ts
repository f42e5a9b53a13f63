import { comments, description, housekeeping, owner, PRIMARY } from '../schema/common.ts'
import { type Fields, type NoFields, type RelatedCountField, slug, text } from '../schema/field.ts'
import { type Definition, model } from '../schema/model.ts'

/** Optional parts of a definition have the defaults of `organizational`. */
type Organizational<Own, Counts> = Pick<Definition, 'name' | 'path' | 'labels'> &
  Partial<Pick<Definition, 'about' | 'brief' | 'order' | 'features'>> & {
    /** Fields between the slug and the description. */
    readonly fields?: Own
    /** Numbers of related objects, the last fields of the response. */
    readonly counts?: Counts
  }

/**
 * A model that classifies objects of other models: a role, a type, a group. Its fields are a unique name, a unique
 * slug, `fields`, description, owner, comments, tags, custom fields and `counts`; the brief form has name, slug,
 * description and counts. It is ordered by name and has the features of a primary model.
 */
export function organizational<
  const Own extends Fields = NoFields,
  const Counts extends Readonly<Record<string, RelatedCountField>> = NoFields,
>({ fields, counts, ...definition }: Organizational<Own, Counts>) {
  return model({
    brief: ['id', 'url', 'display', 'name', 'slug', 'description', ...Object.keys(counts ?? {})],
    order: ['name'],
    search: ['description', 'name', 'slug'],
    features: PRIMARY,
    ...definition,
    fields: {
      name: text({ max: 100, unique: true }),
      slug: slug({ max: 100, unique: true }),
      ...(fields as Own),
      description,
      owner,
      comments,
      ...housekeeping,
      ...(counts as Counts),
    },
  })
}

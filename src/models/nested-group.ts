import { comments, description, housekeeping, owner, PRIMARY, SHORT_NODE } from '../schema/common.ts'
import {
  type Fields,
  type ForeignKeyField,
  type NoFields,
  type RelatedCountField,
  slug,
  text,
} from '../schema/field.ts'
import { type Definition, model, type OrderTerm } from '../schema/model.ts'
import { parentNode, treeDepth, uniqueWithin } from '../schema/tree.ts'

/** Optional parts of a definition have the defaults of `nestedGroup`. */
type NestedGroup<Own, Counts> = Pick<Definition, 'name' | 'path' | 'labels'> &
  Partial<Pick<Definition, 'about' | 'unique' | 'naturalKey' | 'filters' | 'features' | 'graphql'>> & {
    /** Fields between the slug and the parent; one named `name` or `slug` replaces the default one. */
    readonly fields?: Own
    /** Options of the parent field that differ from the defaults. */
    readonly parent?: Partial<Pick<ForeignKeyField, 'projection' | 'resetOnPut'>>
    /**
     * Order of objects by this relation in API version 4.6, by default by name; since 4.7 it is the order of the tree.
     */
    readonly earlierOrder?: readonly OrderTerm[]
    /** Numbers of related objects; those of whole subtrees are part of the brief form. */
    readonly counts?: Counts
  }

/**
 * A model whose objects are groups that form a tree. Its fields are name, slug, `fields`, parent, description, tags,
 * custom fields, `counts`, owner, comments and depth. Name and slug are unique among siblings by default (see
 * `unique`). It has the features of a primary model.
 */
export function nestedGroup<
  const Own extends Fields = NoFields,
  const Counts extends Readonly<Record<string, RelatedCountField>> = NoFields,
>({ fields, parent, counts, earlierOrder = ['name'], ...definition }: NestedGroup<Own, Counts>) {
  const subtreeCounts = Object.entries<RelatedCountField>(counts ?? {}).flatMap(([name, count]) =>
    count.cumulative ? name : [],
  )
  return model({
    brief: ['id', 'url', 'display', 'name', 'slug', 'description', ...subtreeCounts, '_depth'],
    order: ['_sort', 'id'],
    earlier: { orderAsRelation: earlierOrder, tree: { parent: 'parent', orderBy: 'name', isWalked: true } },
    search: ['comments', 'description', 'name', 'slug'],
    unique: uniqueWithin('parent', ['name', 'slug']),
    tree: { parent: 'parent', orderBy: 'name' },
    features: PRIMARY,
    ...definition,
    fields: {
      name: text({ max: 100 }),
      slug: slug({ max: 100 }),
      ...(fields as Own),
      parent: parentNode(definition.name, { projection: SHORT_NODE, ...parent }),
      description,
      ...housekeeping,
      ...(counts as Counts),
      owner,
      comments,
      _depth: treeDepth,
    },
  })
}

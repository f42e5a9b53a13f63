import { PART_OF } from '../../schema/part-of.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import type { Step } from '../../schema/step.ts'
import { identifier, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { innerAlias, T } from './alias.ts'
import { displayOf } from './display.ts'
import { type DisplayPart, parseDisplay } from './display-template.ts'
import { either } from './filter-context.ts'
import { allOf, joinStep, type Relation } from './join-step.ts'
import { compareText } from './lookups.ts'
import { reaches } from './reach.ts'
import { scalarPath } from './scalar-path.ts'
import { compileSearch } from './search-filter.ts'
import { compareEnd, textOf } from './text-filter.ts'

/**
 * Predicate over `t`: each of the words occurs in a searched field, in the display, or in a field that distinguishes
 * objects with the same display. Related objects are found first, so that the indexes of the rows that refer to them
 * are used.
 */
export function compileWords(registry: Registry, model: Model, words: readonly string[]): Sql {
  const { context = [] } = registry.view(model)
  return join(
    words.map((word) => either([...inItself(model, word), ...inRelations(model, context, word)])),
    ' and ',
  )
}

/** A word with its numbers apart from the letters before them: `gi1/0/12` as `gi` and `1/0/12`. */
export const numberApart = (word: string): readonly string[] => word.split(/(?<=\p{L})(?=\d)/u)

/**
 * As `compileWords`, over these related objects; at least one of the words occurs in the object itself. For few rows:
 * related objects are looked up for each of them.
 */
export function compileWordsOfObject(model: Model, words: readonly string[], related: readonly string[]): Sql {
  const inObject = words.map((word) => either(inItself(model, word, 'few')))
  const all = words.map((word, index) =>
    either([inObject[index] ?? sql`false`, ...related.flatMap((name) => inRelated(model, T, name, word, OF_FEW))]),
  )
  return join([either(inObject), ...all], ' and ')
}

/**
 * Queries for the ids of a model's objects that are near others: that are among them, or are related to one of them,
 * directly or as parts of a related object. `idsOf` has the ids of those of a model; undefined if it has none.
 */
export function idsNear(
  model: Model,
  related: readonly string[],
  idsOf: (model: Model) => Sql | undefined,
): readonly Sql[] {
  const ofRelation = (step: Relation): readonly Sql[] => {
    const { id, condition, joined } = joinStep(step, T, raw('l'))
    const owners = PART_OF.flatMap((name) => {
      const owner = step.to.steps.get(name)
      const ids = owner?.kind === 'foreignKey' ? idsOf(owner.to) : undefined
      if (owner?.kind !== 'foreignKey' || !ids) return []
      return [
        sql`select p.id from ${table(step.to)} p where ${identifier('p', owner.column.name)} = any(array(${ids}))`,
      ]
    })
    const ids = [idsOf(step.to) ?? [], owners].flat()
    if (ids.length === 0) return []
    const holds = allOf(sql`${id} = any(array(${join(ids, ' union all ')}))`, condition)
    return [
      joined
        ? sql`select ${joined.owner} from ${joined.rows} where ${holds}`
        : sql`select t.id from ${table(model)} t where ${holds}`,
    ]
  }
  return [idsOf(model) ?? [], related.flatMap((name) => relationsOf(model, name)).flatMap(ofRelation)].flat()
}

/** Fields of the object itself that may contain the word. */
const inItself = (model: Model, word: string, rows: Related['rows'] = 'all'): readonly Sql[] => [
  compileSearch({ kind: 'search', text: word }, { model, alias: T }),
  ...inName(model, T, word, rows),
]

const inRelations = (model: Model, related: readonly string[], word: string): readonly Sql[] =>
  related.flatMap((name) => inRelated(model, T, name, word, { withOwner: true, rows: 'all' }))

/** How related objects are searched for a word. */
interface Related {
  /** Their parents, too. */
  readonly withOwner: boolean
  /** `all`: once for all rows; `few`: for each row. */
  readonly rows: 'all' | 'few'
}

const OF_FEW: Related = { withOwner: true, rows: 'few' }

/** Parts of an object's display that may contain the word. */
function inName(model: Model, alias: Sql, word: string, rows: Related['rows']): readonly Sql[] {
  const { display } = model.definition
  if (typeof display === 'function') {
    return [compareText('icontains', displayOf(model, alias), word, 'plain')]
  }
  return valuesOf(parseDisplay(display)).flatMap((path) => {
    const field = model.fields.get(path)
    if (field?.kind === 'foreignKey' || field?.kind === 'genericForeignKey') {
      return inRelated(model, alias, path, word, { withOwner: false, rows })
    }
    if (model.steps.get(path)?.kind === 'column') {
      return reaches(model, alias, path, (value, end) => compareEnd('icontains', textOf(value, end), word))
    }
    const value = sql`${scalarPath(model, alias, path, displayOf)}::text`
    return compareText('icontains', value, word, 'plain')
  })
}

const valuesOf = (parts: readonly DisplayPart[]): readonly string[] =>
  parts.flatMap((part) => {
    if (part.kind === 'value') return [part.path]
    return part.kind === 'optional' ? valuesOf(part.parts) : []
  })

/** Maximum number of types of a generic relation whose objects are searched for a word. */
const MOST_TYPES = 12

/** The word occurs in the display of a related object, or of that object's parent. */
function inRelated(model: Model, alias: Sql, name: string, word: string, { withOwner, rows }: Related): readonly Sql[] {
  const steps = relationsOf(model, name)
  if (steps.length > MOST_TYPES) return []
  return steps.flatMap((step) => {
    const inner = innerAlias(alias)
    const { id, condition, joined } = joinStep(step, alias, innerAlias(inner))
    if (joined?.areRelated) return []
    const owners = withOwner ? PART_OF.filter((ownerName) => step.to.fields.get(ownerName)?.kind === 'foreignKey') : []
    const inOwnName = either([
      ...inName(step.to, inner, word, rows),
      ...owners.flatMap((ownerName) => inRelated(step.to, inner, ownerName, word, { withOwner: false, rows })),
    ])
    if (rows === 'few') {
      const isNamed = sql`${inner}.id = ${id} and ${inOwnName}`
      const exists = sql`exists (select from ${table(step.to)} ${inner} where ${isNamed} offset 0)`
      const holds = condition ? sql`(${condition} and ${exists})` : exists
      return joined ? sql`exists (select from ${joined.rows} where ${joined.owner} = ${alias}.id and ${holds})` : holds
    }
    // An array of a subquery is computed once, and an index on the referring column can be used.
    const isNamed = sql`${id} = any(array(select ${inner}.id from ${table(step.to)} ${inner} where ${inOwnName}))`
    const holds = condition ? sql`(${condition} and ${isNamed})` : isNamed
    return joined ? sql`${alias}.id in (select ${joined.owner} from ${joined.rows} where ${holds})` : holds
  })
}

/** The relations behind a field: one, or one for each type of a generic relation. */
const relationsOf = (model: Model, name: string): readonly Relation[] =>
  [...model.steps].flatMap(([key, step]) =>
    (key === name || key.startsWith(`${name}:`)) && isRelation(step) ? [step] : [],
  )

const isRelation = (step: Step): step is Relation => step.kind !== 'column'

import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { T } from '../query/alias.ts'
import { displayOf } from '../query/display.ts'
import { compareText } from '../query/lookups.ts'
import { compileWordsOfObject, idsAround } from '../query/words.ts'
import type { FoundWith } from './address-matches.ts'
import { searchedFields } from './entries.ts'

/** After matches of a name alone, before matches of descriptions. */
const WEIGHT = 200

/** Maximum number of words that are combined, of entries of a word, and of objects of a model that are checked. */
const MOST_WORDS = 6
const MOST_ENTRIES = 10_000
const MOST_OBJECTS = 1_000

/**
 * Objects that several words describe together: the name of a device and its role, an interface and its device, a VLAN
 * and its number. Each word occurs in the object, in a related object that is shown with it, or in the name of its
 * kind; at least one occurs in the object itself. It finds nothing for a text of a single word.
 */
export async function wordMatches(
  database: Queryable,
  registry: Registry,
  text: string,
): Promise<readonly FoundWith[]> {
  const words = [...new Set(text.toLowerCase().split(/\s+/))].filter((word) => word !== '')
  if (words.length < 2 || words.length > MOST_WORDS) return []
  const types = await typesWith(database, words)
  const rare = rarestOf(types)
  // Words that all occur in very many values describe nothing in particular.
  if (rare === undefined) return []
  const queries = [...searchedFields(registry).keys()].flatMap((model) => {
    const related = relatedNames(registry, model)
    const names = new Set([model, ...related.flatMap((name) => modelsAt(model, name))])
    const left = words.filter((word) => !kindWords(model).has(word))
    const mayMatch = left.every((word) => {
      const found = types.get(word)
      return found?.isFrequent || [...names].some(({ name }) => found?.types.has(name))
    })
    if (left.length === 0 || !mayMatch) return []
    // The rarest word is the name of the model's kind.
    const anchor = left.includes(rare) ? rare : rarestOf(new Map([...types].filter(([word]) => left.includes(word))))
    return anchor === undefined ? [] : [{ model, rows: objectsWith(model, left, related, anchor) }]
  })
  if (queries.length === 0) return []
  const rows = join(
    queries.map((query) => query.rows),
    ' union all ',
  )
  return [{ name: sql`described`, rows, models: queries.map(({ model }) => model) }]
}

/** The word that occurs in the fewest values; undefined if all occur in very many. */
function rarestOf(words: ReadonlyMap<string, Found>): string | undefined {
  const [first] = [...words].filter(([, { isFrequent }]) => !isFrequent).sort(([, a], [, b]) => a.entries - b.entries)
  return first?.[0]
}

/** Objects without a name of their own whose display contains the text, such as a member of a chassis: `core:2`. */
export function unnamedMatches(registry: Registry, text: string): readonly FoundWith[] {
  const queries = [...searchedFields(registry).keys()].flatMap((model) => {
    const name = model.fields.get('name')
    if (name?.kind !== 'text' || name.nullable !== true) return []
    const display = displayOf(model, T)
    const isUnnamed = sql`coalesce(t.name, '') = ''`
    return [
      { model, rows: matchesIn(model, sql`${isUnnamed} and ${compareText('icontains', display, text, 'plain')}`) },
    ]
  })
  if (queries.length === 0) return []
  const rows = join(
    queries.map((query) => query.rows),
    ' union all ',
  )
  return [{ name: sql`unnamed`, rows, models: queries.map(({ model }) => model) }]
}

/** Where a word occurs. */
interface Found {
  /** The object types with a searched value that contains it. */
  readonly types: ReadonlySet<string>
  /** Number of these values, at most `MOST_ENTRIES`. */
  readonly entries: number
  /** It occurs in so many values that not all of them were counted. */
  readonly isFrequent: boolean
}

async function typesWith(database: Queryable, words: readonly string[]): Promise<ReadonlyMap<string, Found>> {
  const selects = words.map(
    (word) => sql`(
      select array_agg(distinct object_type) as types, count(*)::int as entries from (
        select e.object_type from ${table(SYSTEM.searchEntry)} e
        where ${hasWord(word)} limit ${MOST_ENTRIES}) found)`,
  )
  const rows = await database.query<{ types: readonly string[] | null; entries: number }>(join(selects, ' union all '))
  return new Map(
    rows.map(({ types, entries }, index) => [
      words[index] ?? '',
      { types: new Set(types), entries, isFrequent: entries === MOST_ENTRIES },
    ]),
  )
}

/** Relations to the objects that are shown next to an object, as its context or its facts. */
function relatedNames(registry: Registry, model: Model): readonly string[] {
  const { context = [], search } = registry.view(model)
  return [...new Set([...context, ...(search?.shown ?? [])])].filter((name) => modelsAt(model, name).length > 0)
}

/** The models to which a relation leads: one, or one for each type of a generic relation. */
const modelsAt = (model: Model, name: string): readonly Model[] =>
  [...model.steps].flatMap(([key, step]) =>
    step.kind !== 'column' && (key === name || key.startsWith(`${name}:`)) ? [step.to] : [],
  )

/** Words that name the kind of object. */
const kindWords = ({ definition: { labels } }: Model): ReadonlySet<string> =>
  new Set(labels.flatMap((label) => label.toLowerCase().split(' ')))

const hasWord = (word: string): Sql => compareText('icontains', sql`e.value`, word, 'plain')

/** Objects with all of the words; the index leads from the values with the rarest one to the objects. */
function objectsWith(model: Model, words: readonly string[], related: readonly string[], rarest: string): Sql {
  const named = ({ name }: Model): Sql => sql`
    select e.object_id from ${table(SYSTEM.searchEntry)} e where e.object_type = ${name} and ${hasWord(rarest)}`
  const ids = join(idsAround(model, related, named), ' union all ')
  return matchesIn(model, sql`t.id = any(array(${ids})) and ${compileWordsOfObject(model, words, related)}`)
}

const matchesIn = (model: Model, condition: Sql): Sql => sql`(
  select ${model.name}::text as object_type, t.id as object_id, 'display'::text as field,
    ${displayOf(model, T)}::text collate "C" as value, ${WEIGHT}::smallint as weight
  from ${table(model)} t where ${condition} limit ${MOST_OBJECTS})`

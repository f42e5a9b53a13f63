import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { join, raw, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { T } from '../query/alias.ts'
import { displayOf } from '../query/display.ts'
import { compareText } from '../query/lookups.ts'
import { compileWordsOfObject, idsNear } from '../query/words.ts'
import type { FoundWith } from './address-matches.ts'
import { searchedFields } from './entries.ts'

/** After matches of a name alone, before matches of descriptions. */
const WEIGHT = 200

/** Maximum number of words that are combined, of entries of a word, and of objects of a model that are checked. */
const MOST_WORDS = 6
const MOST_ENTRIES = 10_000
const MOST_OBJECTS = 1_000
/** Maximum number of a model's objects near the rarest word of which all other words are looked for. */
const MOST_NEAR = 20_000

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
  const queries = [...searchedFields(registry).keys()].flatMap((model) => {
    const related = relatedNames(registry, model)
    const names = new Set([model, ...related.flatMap((name) => modelsAt(model, name))])
    const remaining = words.filter((word) => !kindWords(model).has(word))
    const mayMatch = remaining.every((word) => {
      const occurrence = types.get(word)
      return occurrence?.isFrequent || [...names].some(({ name }) => occurrence?.types.has(name))
    })
    const rarest = rarestOf(remaining, types)
    if (rarest === undefined || !mayMatch) return []
    const occurrence = types.get(rarest)
    const idsOf = ({ name }: Model): Sql | undefined =>
      occurrence?.isFrequent || occurrence?.types.has(name)
        ? sql`select n.object_id from ${nameOf(words, rarest)} n where n.object_type = ${name}`
        : undefined
    const ids = idsNear(model, related, idsOf)
    if (ids.length === 0) return []
    const isNear = sql`t.id = any(array(${join(ids, ' union all ')} limit ${occurrence?.isFrequent ? 5 * MOST_OBJECTS : MOST_NEAR}))`
    return [
      { model, rarest, rows: matchesIn(model, sql`${isNear} and ${compileWordsOfObject(model, remaining, related)}`) },
    ]
  })
  if (queries.length === 0) return []
  const anchors = [...new Set(queries.map(({ rarest }) => rarest))].map(
    (word) => sql`${nameOf(words, word)} as materialized (
      select e.object_type, e.object_id from ${table(SYSTEM.searchEntry)} e where ${hasWord(word)} limit ${MOST_ENTRIES})`,
  )
  const rows = join(
    queries.map((query) => query.rows),
    ' union all ',
  )
  return [{ name: sql`described`, rows: sql`with ${join(anchors)} ${rows}`, models: queries.map(({ model }) => model) }]
}

/** Name of the query for the objects with a word in one of their values. */
const nameOf = (words: readonly string[], word: string): Sql => raw(`word${words.indexOf(word)}`)

/** The word that occurs in the fewest values; undefined if the index leads to none of them. */
function rarestOf(words: readonly string[], types: ReadonlyMap<string, Found>): string | undefined {
  const counts = words.flatMap((word) => {
    const occurrence = types.get(word)
    return occurrence && !occurrence.isUnknown ? [{ word, entries: occurrence.entries }] : []
  })
  return counts.toSorted((a, b) => a.entries - b.entries)[0]?.word
}

/** Objects without a name of their own whose display contains the text, such as a member of a chassis: `core:2`. */
export function unnamedMatches(registry: Registry, text: string): readonly FoundWith[] {
  const queries = [...searchedFields(registry).keys()].flatMap((model) => {
    const name = model.fields.get('name')
    if (name?.kind !== 'text' || name.nullable !== true) return []
    const display = displayOf(model, T)
    const isUnnamed = sql`(t.name is null or t.name = '')`
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
  /** Too short for the index, in too many values to read them all. */
  readonly isUnknown: boolean
}

/** Number of characters from which the index finds a part of a value. */
const SHORTEST = 3
/** Number of values that are read for a shorter word. */
const MOST_READ = 10_000

async function typesWith(database: Queryable, words: readonly string[]): Promise<ReadonlyMap<string, Found>> {
  const selects = words.map((word) => {
    const entries = table(SYSTEM.searchEntry)
    const isShort = [...word].length < SHORTEST
    const rows = isShort ? sql`(select * from ${entries} limit ${MOST_READ})` : entries
    const isUnknown = isShort
      ? sql`(select count(*) > ${MOST_READ} from (select from ${entries} limit ${MOST_READ + 1}) a)`
      : sql`false`
    return sql`(
      select array_agg(distinct object_type) as types, count(*)::int as entries, ${isUnknown} as unknown from (
        select e.object_type from ${rows} e where ${hasWord(word)} limit ${MOST_ENTRIES}) occurrence)`
  })
  const rows = await database.query<{ types: readonly string[] | null; entries: number; unknown: boolean }>(
    join(selects, ' union all '),
  )
  return new Map(
    rows.map(({ types, entries, unknown }, index) => [
      words[index] ?? '',
      { types: new Set(types), entries, isUnknown: unknown, isFrequent: unknown || entries === MOST_ENTRIES },
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

const matchesIn = (model: Model, condition: Sql): Sql => sql`(
  select ${model.name}::text as object_type, t.id as object_id, 'display'::text as field,
    ${displayOf(model, T)}::text collate "C" as value, ${WEIGHT}::smallint as weight
  from ${table(model)} t where ${condition} limit ${MOST_OBJECTS})`

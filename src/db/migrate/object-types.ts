import { appTitleOf } from '../../schema/class-name.ts'
import type { Feature } from '../../schema/model.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, join, raw, sql } from '../../sql/fragment.ts'
import { numberedInsert } from '../../sql/predicted-ids.ts'
import { insertInto, table, updateTable } from '../../sql/table.ts'
import type { Transaction } from '../database.ts'

/** Columns with their types; the first two identify an object type. */
const COLUMNS = {
  app_label: 'text',
  model: 'text',
  app_name: 'text',
  model_name: 'text',
  model_name_plural: 'text',
  public: 'boolean',
  features: 'text[]',
  is_plugin_model: 'boolean',
  rest_api_endpoint: 'text',
} as const

/**
 * Inserts a row for each declared model that has none, in the order of the declarations; existing ids never change.
 * With `refresh` the descriptions of existing types are updated from their declarations.
 */
export async function seedObjectTypes(
  transaction: Transaction,
  registry: Registry,
  { refresh }: { readonly refresh: boolean },
): Promise<void> {
  const types = registry.models.get(SYSTEM.objectType)
  if (!types) return
  const rows = [...registry.models.values()]
    .filter(({ definition }) => !definition.internal)
    .map((model, position) => ({ position, ...describe(model) }))
  const names = Object.keys(COLUMNS).map((name) => identifier(name))
  const source = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as q (position integer, ${join(
    Object.entries(COLUMNS).map(([name, type]) => sql`${identifier(name)} ${raw(type)}`),
  )})`
  const isSame = sql`t.app_label = q.app_label and t.model = q.model`
  const described = names.slice(2)
  if (refresh) {
    await transaction.execute(sql`
    ${updateTable(types)} t set ${join(described.map((name) => sql`${name} = q.${name}`))} from ${source}
    where ${isSame} and (${join(described.map((name) => sql`t.${name}`))})
      is distinct from (${join(described.map((name) => sql`q.${name}`))})`)
  }
  // A dry run of a new custom model must not use up an id.
  const numbered = numberedInsert(transaction, types.name, rows.length, sql`row_number() over (order by q.position)`)
  await transaction.execute(sql`
    ${insertInto(types)} (${numbered.column}${join(names)})
    select ${numbered.value}${join(names.map((name) => sql`q.${name}`))} from ${source}
    where not exists (select from ${table(types)} t where ${isSame})
    order by q.position`)
}

function describe(model: Model): Readonly<Record<keyof typeof COLUMNS, unknown>> {
  const [singular, plural] = model.definition.labels
  return {
    app_label: model.app,
    model: model.key,
    app_name: appTitleOf(model),
    model_name: singular,
    model_name_plural: plural,
    public: !model.definition.private,
    features: featuresOf(model),
    is_plugin_model: model.plugin !== undefined,
    rest_api_endpoint: model.path === '' ? null : `/api/${model.path}/`,
  }
}

/** Features by the names that clients know, in alphabetical order. */
function featuresOf(model: Model): readonly string[] {
  const names = (model.definition.features ?? [])
    .filter((name) => !INTERNAL.has(name))
    .map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  return [
    ...names,
    ...(model.has('tags') ? ['tags'] : []),
    ...(model.has('customFields') ? ['custom_fields'] : []),
    ...(model.has('eventRules') ? ['custom_validation'] : []),
  ].sort()
}

/** Features that only the program itself uses. */
const INTERNAL: ReadonlySet<Feature> = new Set<Feature>(['configContext'])

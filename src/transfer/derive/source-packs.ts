import type { User } from '../../identity/actor.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn } from '../../schema/json.ts'
import type { Registry } from '../../schema/registry.ts'
import { schemaName } from '../../schema/schema-name.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { Client } from '../remote/client.ts'
import { switchPacks } from '../switch-packs.ts'
import { type DerivedPack, derivePacks, type KnownModel, type SourceDocuments } from './derive-packs.ts'

/** What becomes of a plugin of a source. */
interface SourcePlugin {
  /** Its address below /api/plugins/. */
  readonly base: string
  /** `on`: its models are here already; `pack`: a pack that ships has them; `derived`: a derived pack will have them. */
  readonly becomes: 'on' | 'pack' | 'derived' | 'leftOut'
  readonly derived?: DerivedPack
  readonly reason?: string
}

/** Milliseconds: a NetBox with plugins works on its document for minutes. */
const DOCUMENT_TIMEOUT = 600_000
const TYPES_PAGE = 1_000

/** Reads what a source says about its plugins. Throws SourceError. */
export async function readDocuments(client: Client): Promise<SourceDocuments> {
  const [openApi, status, objectTypes] = [
    await client.json('/api/schema/?format=json', { timeout: DOCUMENT_TIMEOUT }),
    await client.json('/api/status/'),
    await objectTypesOf(client),
  ]
  const document = isJsonObject(openApi) ? openApi : {}
  const paths = isJsonObject(document.paths) ? Object.keys(document.paths) : []
  const lists = paths.filter((path) => path.startsWith('/api/plugins/') && !path.includes('{'))
  const options = await Promise.all(
    lists.map(async (path) => [path.slice('/api/'.length, -1), await client.options(path)] as const),
  )
  return {
    openApi: document,
    objectTypes,
    versions: isJsonObject(status) && isJsonObject(status.plugins) ? status.plugins : {},
    options: new Map(options.flatMap(([path, answer]) => (isJsonObject(answer) ? [[path, answer] as const] : []))),
  }
}

async function objectTypesOf(client: Client): Promise<readonly JsonObject[]> {
  const rows: JsonObject[] = []
  for (;;) {
    const path = `/api/core/object-types/?limit=${TYPES_PAGE}&offset=${rows.length}&ordering=id`
    const page: Json | undefined = await client.json(path)
    const results = isJsonObject(page) ? objectsIn(page.results) : []
    rows.push(...results)
    if (results.length === 0 || !isJsonObject(page) || page.next === null) return rows
  }
}

/**
 * What becomes of each plugin of the source, by its address. `bases`: addresses of its plugins; `without`: paths of what
 * is left out, such as `plugins/slm`.
 */
export async function planPlugins(
  { registry, database }: Pick<Service, 'registry' | 'database'>,
  client: Client,
  { bases, without }: { readonly bases: readonly string[]; readonly without: readonly string[] },
): Promise<readonly SourcePlugin[]> {
  const here = new Set(
    [...registry.models.values()].flatMap(({ path }) =>
      path.startsWith('plugins/') ? [path.split('/')[1] ?? ''] : [],
    ),
  )
  const shipped = new Set(
    await database.queryColumn(sql`select name from ${table(SYSTEM.pack)} where source = 'shipped'`),
  )
  const wanted = bases.filter((base) => !without.includes(`plugins/${base}`))
  const unknown = wanted.filter((base) => !here.has(base) && !shipped.has(base))
  const derived = unknown.length === 0 ? [] : derivePacks(await readDocuments(client), knownModels(registry))
  const unique = await Promise.all(
    derived.filter(({ document }) => unknown.includes(document.name)).map((pack) => withUniqueNames(client, pack)),
  )
  return bases.map((base): SourcePlugin => {
    if (!wanted.includes(base)) return { base, becomes: 'leftOut', reason: 'on request' }
    if (here.has(base)) return { base, becomes: 'on' }
    if (shipped.has(base)) return { base, becomes: 'pack' }
    const pack = unique.find(
      ({ document }) => document.models?.some(({ path }) => path !== undefined) && document.name === base,
    )
    return pack
      ? { base, becomes: 'derived', derived: pack }
      : { base, becomes: 'leftOut', reason: 'it has no lists of objects' }
  })
}

/** Fields by which people tell objects apart. */
const NAMING = ['name', 'slug'] as const
const SAMPLE = 1_000

/**
 * The pack, in which names are unique if all objects of the source have different ones: its documents do not say what must
 * be unique.
 */
async function withUniqueNames(client: Client, pack: DerivedPack): Promise<DerivedPack> {
  const { models = [], name: base } = pack.document
  const notes = [...pack.notes]
  const proposed = await Promise.all(
    models.map(async (model) => {
      const names = NAMING.filter(
        (name) => model.fields[name]?.kind === 'text' && model.fields[name].default === undefined,
      )
      if (names.length === 0 || model.path === undefined) return model
      const page = await client.json(`/api/plugins/${base}/${model.path}/?limit=${SAMPLE}&ordering=id`, { tries: 2 })
      const { results, next } = isJsonObject(page) ? page : {}
      const rows = objectsIn(results)
      const distinct = names.filter((name) => new Set(rows.map((row) => row[name])).size === rows.length)
      if (rows.length < 2 || next !== null) return model
      const fields = { ...model.fields }
      for (const name of distinct) {
        const field = fields[name]
        if (!field) continue
        fields[name] = { ...field, unique: true }
        const note = 'All objects of the source have different values: another object with the same one is refused'
        notes.push({ model: `${pack.document.app}.${model.name}`, field: name, note })
      }
      return { ...model, fields }
    }),
  )
  return { ...pack, document: { ...pack.document, models: proposed }, notes }
}

/** The models to which fields of plugins may refer. */
export const knownModels = (registry: Registry): readonly KnownModel[] =>
  [...registry.models.values()].flatMap((model) =>
    model.path === ''
      ? []
      : [{ objectType: model.name, schema: schemaName(model), fields: new Set(model.fields.keys()) }],
  )

/** Switches on what the plan says, and returns the service with the new models. */
export async function switchOn(
  service: Service,
  plugins: readonly SourcePlugin[],
  actor: User | undefined,
): Promise<Service> {
  const added = plugins.filter(({ becomes }) => becomes === 'pack' || becomes === 'derived')
  const states = added.map(({ base, derived }) => ({
    ...{ name: base, enabled: true },
    ...(derived && { document: derived.document }),
  }))
  return states.length === 0 ? service : await switchPacks(service, states, actor)
}

/** What becomes of a plugin, in words. */
const OUTCOMES: Readonly<Record<SourcePlugin['becomes'], (plugin: SourcePlugin) => string>> = {
  on: () => 'its models are here already',
  pack: ({ base }) => `the pack ${base}`,
  derived: ({ derived }) => `derived, ${derived?.document.models?.length ?? 0} object types${unknownText(derived)}`,
  leftOut: ({ reason = '' }) => `left out (${reason})`,
}

/** The plan in lines for people. */
export const pluginLines = (plugins: readonly SourcePlugin[]): readonly string[] =>
  plugins.map((plugin) => `  ${plugin.base}: ${OUTCOMES[plugin.becomes](plugin)}`)

function unknownText(derived: DerivedPack | undefined): string {
  const count = derived?.notes.length ?? 0
  return count === 0 ? '' : `, ${count} fields of which not everything is known`
}

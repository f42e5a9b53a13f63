import { ApiError } from '../../base/errors.ts'
import { textOf } from '../../changes/difference/conflict.ts'
import type { User } from '../../identity/actor.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn, ownValue } from '../../schema/json.ts'
import { type PackDocument, type PackModel, parsePack } from '../../schema/packs/pack-document.ts'
import type { PackField } from '../../schema/packs/pack-fields.ts'
import type { Registry } from '../../schema/registry.ts'
import { schemaName } from '../../schema/schema-name.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { type Client, FEW_TRIES } from '../remote/client.ts'
import { SourceError } from '../remote/source-error.ts'
import { switchPacks } from '../switch-packs.ts'
import { type DerivedPack, derivePacks, type KnownModel, type SourceDocuments } from './derive-packs.ts'

/** What becomes of a plugin of a source. */
interface SourcePlugin {
  /** Its address below /api/plugins/. */
  readonly base: string
  /**
   * `on`: its models are here already; `pack`: a pack that is off has them; `derived`: a derived pack will have them;
   * `follows`: the derived pack of an earlier import gets what the plugin has now.
   */
  readonly becomes: 'on' | 'pack' | 'derived' | 'follows' | 'leftOut'
  /** Name of the pack. */
  readonly name?: string
  /** Document of the pack, if it is new or changes. */
  readonly document?: PackDocument
  readonly derived?: DerivedPack
  readonly changes?: readonly string[]
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
  const rows = await database.query<{ name: string; address: string; document: string | null }>(
    sql`select name, coalesce(adds ->> 'address', name) as address, document::text from ${table(SYSTEM.pack)}`,
  )
  const stored = new Map(rows.map(({ address, document }) => [address, documentOf(document)]))
  const nameOf = new Map(rows.map(({ address, name }) => [address, name]))
  const wanted = bases.filter((base) => !without.includes(`plugins/${base}`))
  const derivable = wanted.filter((base) => (stored.has(base) ? isDerived(stored.get(base)) : !here.has(base)))
  const derived = derivable.length === 0 ? [] : await derivedFrom(client, knownModels(registry))
  const packs = typeof derived === 'string' ? [] : derived
  const types = new Map([
    ...[...registry.models.values()].map(({ path, name }) => [path, name] as const),
    ...packs.flatMap(({ document }) =>
      (document.models ?? []).map(
        ({ path, name }) => [`plugins/${document.name}/${path}`, `${document.app}.${name}`] as const,
      ),
    ),
  ])
  const plan = async (base: string): Promise<SourcePlugin> => {
    if (!wanted.includes(base)) return { base, becomes: 'leftOut', reason: 'on request' }
    const fresh = derivable.includes(base) ? packs.find(({ document }) => document.name === base) : undefined
    const current = stored.get(base)
    const followed = current && fresh && followedBy(current, fresh.document)
    if (followed && followed.changes.length > 0) return { base, becomes: 'follows', ...followed }
    if (here.has(base)) return { base, becomes: 'on' }
    if (stored.has(base)) return { base, name: nameOf.get(base) ?? base, becomes: 'pack' }
    if (typeof derived === 'string') return { base, becomes: 'leftOut', reason: derived }
    if (!fresh?.document.models?.length) {
      const reasons = new Set(fresh?.leftOut.map(({ reason }) => reason))
      return { base, becomes: 'leftOut', reason: [...reasons].join(', ') || 'it has no lists of objects' }
    }
    const problem = parsePack(fresh.document)
    if ('problem' in problem) return { base, becomes: 'leftOut', reason: problem.problem }
    const sampled = await withSample(client, fresh, (address) =>
      types.get(/\/api\/(.+)\/\d+\/$/.exec(address)?.[1] ?? ''),
    )
    return { base, becomes: 'derived', document: sampled.document, derived: sampled }
  }
  return await Promise.all(bases.map(plan))
}

/** Packs for the plugins of the source, or the reason why its documents do not say enough. */
async function derivedFrom(client: Client, known: readonly KnownModel[]): Promise<readonly DerivedPack[] | string> {
  try {
    const documents = await readDocuments(client)
    if (!isJsonObject(documents.openApi.paths)) return 'the source has no OpenAPI document'
    return derivePacks(documents, known)
  } catch (error) {
    if (error instanceof SourceError) return `the documents of the source cannot be read: ${error.message}`
    throw error
  }
}

function documentOf(text: string | null): PackDocument | undefined {
  const document = parsePack(text === null ? undefined : JSON.parse(text))
  return 'problem' in document ? undefined : document
}

const isDerived = (document: PackDocument | undefined): boolean =>
  document?.models?.some((model) => model.recorded_display) === true

/**
 * The document of a derived pack with the models, fields and choices that the plugin has now, and what changes. What people
 * have edited stays. Fields that the plugin has no longer are optional from now on.
 */
function followedBy(stored: PackDocument, fresh: PackDocument) {
  const changes: string[] = []
  const { models = [] } = stored
  const now = new Map(fresh.models?.map((model) => [model.name, model]))
  const followed = models.map((model) => {
    const current = now.get(model.name)
    if (!current) return model
    const fields: Record<string, PackField> = {}
    for (const [name, field] of Object.entries(model.fields)) {
      const next = ownValue(current.fields, name)
      fields[name] = next ? widened(field, next) : isNeeded(field) ? { ...field, optional: true } : field
      if (fields[name] !== field) changes.push(`${model.name}.${name} ${next ? 'allows more' : 'is optional'}`)
    }
    for (const [name, field] of Object.entries(current.fields)) {
      if (Object.hasOwn(model.fields, name)) continue
      fields[name] = isNeeded(field) ? { ...field, optional: true } : field
      changes.push(`${model.name}.${name} is new`)
    }
    return { ...model, fields }
  })
  const added = [...now.values()].filter(({ name }) => !models.some((model) => model.name === name))
  for (const { name } of added) changes.push(`${name} is new`)
  return { document: { ...stored, models: [...followed, ...added] }, changes }
}

/** Kinds of fields that have no value of their own, or are empty at first. */
const NEVER_NEEDED: ReadonlySet<PackField['kind']> = new Set([
  ...(['objects', 'count', 'computed', 'range_texts', 'choices', 'texts', 'integers', 'ranges'] as const),
])

/** Whether objects that have no value contradict the field. */
const isNeeded = ({ kind, optional, default: value }: PackField): boolean =>
  !NEVER_NEEDED.has(kind) && optional !== true && value === undefined

/** The field with the choices that the source's has too. */
function widened(field: PackField, { choices }: PackField): PackField {
  const current = field.choices
  if (!choices || !current || Array.isArray(choices) || Array.isArray(current)) return field
  return Object.keys(choices).every((value) => Object.hasOwn(current, value))
    ? field
    : { ...field, choices: { ...choices, ...current } as Record<string, string> } // neither is a list
}

/** Fields by which people tell objects apart. */
const NAMING = ['name', 'slug'] as const
const SAMPLE = 1_000

/**
 * The pack with what its objects show and its documents do not: names are unique if all objects of the source have
 * different ones, and addresses tell where relations lead if models of two apps have schemas of the same name.
 */
async function withSample(client: Client, pack: DerivedPack, typeAt: TypeAt): Promise<DerivedPack> {
  const { models = [], name: base } = pack.document
  const notes = [...pack.notes]
  const proposed = await Promise.all(
    models.map(async (model) => {
      const names = NAMING.filter(
        (name) => model.fields[name]?.kind === 'text' && model.fields[name].default === undefined,
      )
      if (model.path === undefined) return model
      const path = `/api/plugins/${base}/${model.path}/?limit=${SAMPLE}&ordering=id`
      const page = await client.json(path, { tries: FEW_TRIES }).catch((error: unknown) => {
        if (error instanceof SourceError) return undefined
        throw error
      })
      const { results, next } = isJsonObject(page) ? page : {}
      const rows = objectsIn(results)
      const isWhole = rows.length > 1 && next === null
      const distinct = names.filter((name) => isWhole && new Set(rows.map((row) => row[name])).size === rows.length)
      const fields = mapFields(model, (name, field) => {
        const values = rows.flatMap((row) => ownValue(row, name) ?? [])
        const to = values.map((value) => isJsonObject(value) && typeAt(String(value.url))).find(Boolean)
        return to && (field.kind === 'object' || field.kind === 'objects') ? { ...field, to } : field
      })
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

/** Object type of the object at an address. */
type TypeAt = (address: string) => string | undefined

const mapFields = (
  { fields }: PackModel,
  change: (name: string, field: PackField) => PackField,
): Record<string, PackField> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(name, field)]))

/** The models to which fields of plugins may refer. */
export const knownModels = (registry: Registry): readonly KnownModel[] =>
  [...registry.models.values()].flatMap((model) =>
    model.path === ''
      ? []
      : [{ objectType: model.name, schema: schemaName(model), fields: new Set(model.fields.keys()) }],
  )

/** Whether the plan changes which models there are. */
export const changesModels = (plugins: readonly SourcePlugin[]): boolean =>
  plugins.some(({ becomes }) => becomes === 'pack' || becomes === 'derived' || becomes === 'follows')

/**
 * Switches on what the plan says. Returns the service with the new models, and sentences about the packs that cannot be
 * used.
 */
export async function switchOn(
  service: Service,
  plugins: readonly SourcePlugin[],
  actor: User | undefined,
): Promise<{ readonly service: Service; readonly refused: readonly string[] }> {
  const states = plugins
    .filter((plugin) => changesModels([plugin]))
    .map(({ base, name = base, document }) => ({ name, enabled: true, ...(document && { document }) }))
  if (states.length === 0) return { service, refused: [] }
  try {
    return { service: await switchPacks(service, states, actor), refused: [] }
  } catch (error) {
    refusal(error)
  }
  // One of them cannot be used: each alone, as often as that makes others possible, since packs refer to each other.
  let current = service
  const waiting = new Map(states.map((state) => [state, '']))
  for (let before = waiting.size + 1; waiting.size < before; ) {
    before = waiting.size
    for (const state of [...waiting.keys()]) {
      try {
        current = await switchPacks(current, [state], actor)
        waiting.delete(state)
      } catch (error) {
        waiting.set(state, refusal(error))
      }
    }
  }
  return { service: current, refused: [...waiting].map(([{ name }, reason]) => `${name} is left out: ${reason}`) }
}

/** What is wrong with a pack. Throws all errors of other kinds. */
function refusal(error: unknown): string {
  if (error instanceof ApiError && error.reason.kind === 'invalid') return textOf(error.reason.messages)
  throw error
}

/** What becomes of a plugin, in words. */
const OUTCOMES: Readonly<Record<SourcePlugin['becomes'], (plugin: SourcePlugin) => string>> = {
  on: () => 'its models are here already',
  pack: ({ base, name = base }) => `the pack ${name}`,
  derived: ({ derived }) => `derived, ${derived?.document.models?.length ?? 0} object types${unknownText(derived)}`,
  follows: ({ changes = [] }) => `follows the source: ${changes.join(', ')}`,
  leftOut: ({ reason = '' }) => `left out (${reason})`,
}

/** The plan in lines for people. */
export const pluginLines = (plugins: readonly SourcePlugin[]): readonly string[] =>
  plugins.map((plugin) => `  ${plugin.base}: ${OUTCOMES[plugin.becomes](plugin)}`)

function unknownText(derived: DerivedPack | undefined): string {
  const count = derived?.notes.length ?? 0
  return count === 0 ? '' : `, ${count} fields of which not everything is known`
}

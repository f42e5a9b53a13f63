import { rootOfPackModel } from '../../read/graphql-names.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn, ownValue, stringsIn } from '../../schema/json.ts'
import {
  type PackDocument,
  type PackModel,
  STANDARD_FIELDS,
  type StandardField,
} from '../../schema/packs/pack-document.ts'
import type { PackField } from '../../schema/packs/pack-fields.ts'
import { firstCharacters } from '../../schema/shortened.ts'
import { deriveField, type KnownField, type Schemas } from './derived-fields.ts'

/** What a source says about the collections of its plugins. */
export interface SourceDocuments {
  /** Its OpenAPI document. */
  readonly openApi: JsonObject
  /** All rows of `/api/core/object-types/`. */
  readonly objectTypes: readonly JsonObject[]
  /** Versions of its plugins by package, from `/api/status/`. */
  readonly versions: JsonObject
  /** Answers to OPTIONS, by the path of the collection below /api/. */
  readonly options: ReadonlyMap<string, JsonObject>
}

/** A model of this service to which fields of plugins may refer. */
export interface KnownModel {
  readonly objectType: string
  /** Name of its schema: `Device`. */
  readonly schema: string
  /** Names of its fields. */
  readonly fields: ReadonlySet<string>
}

/** A plugin of a source as data, and what could not be derived. */
export interface DerivedPack {
  readonly document: PackDocument
  /** Fields of which something is not known, with the reason. */
  readonly notes: readonly { readonly model: string; readonly field: string; readonly note: string }[]
  /** Collections that are left out, with the reason. */
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[]
}

/** A collection of a plugin. */
interface SourceCollection {
  /** Path below /api/. */
  readonly path: string
  /** Name of the schema of its objects. */
  readonly schema: string
  readonly operations: JsonObject
  readonly type: JsonObject | undefined
}

/** A pack for each plugin of the source that has collections, by its address. */
export function derivePacks(documents: SourceDocuments, known: readonly KnownModel[]): readonly DerivedPack[] {
  const collections = collectionsOf(documents)
  const byBase = Map.groupBy(collections, ({ path }) => path.split('/')[1] ?? '')
  const schemas = new SourceSchemas(documents, collections, known)
  return [...byBase].map(([base, members]) => derivePack(base, members, documents, schemas))
}

/** Every list of objects below /api/plugins/. */
function collectionsOf({ openApi, objectTypes }: SourceDocuments): readonly SourceCollection[] {
  const types = new Map(
    objectTypes.flatMap((type) =>
      typeof type.rest_api_endpoint === 'string' ? [[pathOf(type.rest_api_endpoint), type] as const] : [],
    ),
  )
  const paths = isJsonObject(openApi.paths) ? Object.entries(openApi.paths) : []
  return paths.flatMap(([address, operations]) => {
    const path = pathOf(address)
    if (!path.startsWith('plugins/') || path.includes('{') || !isJsonObject(operations)) return []
    const schema = listedSchema(openApi, operations)
    if (schema === undefined) return []
    const type = types.get(path)
    return [
      {
        path,
        schema,
        operations,
        type: type && ADDRESS.test(path) && MODEL.test(String(type.model)) ? type : undefined,
      },
    ]
  })
}

/** What addresses and names of models of packs look like. */
const [ADDRESS, MODEL] = [/^plugins(\/[a-z0-9][a-z0-9_-]*)+$/, /^[a-z][a-z0-9]*$/]
/** No field can have the name of something that all objects of JavaScript inherit. */
const isFieldName = (name: string): boolean =>
  /^_?[a-z][a-z0-9_]{0,48}$/.test(name) && !Object.hasOwn(Object.prototype, name)

/** `/api/plugins/bgp/session/` → `plugins/bgp/session`. */
const pathOf = (address: string): string => address.replace(/^.*?\/api\//, '').replace(/\/$/, '')

/** Name of the schema of the objects that a GET lists; undefined if it lists none. */
function listedSchema(openApi: JsonObject, { get }: JsonObject): string | undefined {
  const answer = inside(get, 'responses', '200', 'content', 'application/json', 'schema')
  const list = resolved(openApi, answer)
  const { count, results } = isJsonObject(list.properties) ? list.properties : {}
  if (count === undefined || !isJsonObject(results)) return undefined
  const reference = inside(results, 'items', '$ref')
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined
}

/** The value at the path of names within a document. */
const inside = (value: Json | undefined, ...names: readonly string[]): Json | undefined =>
  names.reduce<Json | undefined>((at, name) => (isJsonObject(at) ? ownValue(at, name) : undefined), value)

/** The schema to which a reference leads, or the schema itself. */
function resolved(openApi: JsonObject, schema: Json | undefined): JsonObject {
  if (!isJsonObject(schema)) return {}
  const reference = schema.$ref ?? objectsIn(schema.allOf)[0]?.$ref
  if (typeof reference !== 'string') return schema
  const target = inside(openApi, 'components', 'schemas', reference.split('/').at(-1) ?? '')
  return isJsonObject(target) ? target : {}
}

/** The schemas of a source, with the object types of their objects. */
class SourceSchemas implements Schemas {
  readonly #openApi: JsonObject
  readonly #types: ReadonlyMap<string, string>
  readonly #fields: ReadonlyMap<string, ReadonlySet<string>>
  #app = ''

  constructor({ openApi }: SourceDocuments, collections: readonly SourceCollection[], known: readonly KnownModel[]) {
    this.#openApi = openApi
    // Schemas of the same name are one in the document: the model of this service is the likelier target.
    this.#types = new Map([
      ...collections.flatMap(({ schema, type }) => (type ? [[schema, objectTypeOf(type)] as const] : [])),
      ...known.map(({ schema, objectType }) => [schema, objectType] as const),
    ])
    this.#fields = new Map([
      ...known.map(({ objectType, fields }) => [objectType, fields] as const),
      ...collections.flatMap(({ schema, type }) =>
        type ? [[objectTypeOf(type), new Set(Object.keys(this.properties(schema)))] as const] : [],
      ),
    ])
  }

  /** From now on, names without an app belong to this one. */
  within(app: string): this {
    this.#app = app
    return this
  }

  properties(schema: string): JsonObject {
    const { properties } = this.resolve({ $ref: schema })
    return isJsonObject(properties) ? properties : {}
  }

  resolve = (schema: Json | undefined): JsonObject => resolved(this.#openApi, schema)

  typeOf = (schema: string): string | undefined =>
    [schema, schema.replace(/^(Brief|Nested)/, ''), schema.replace(/^(Brief|Nested)|Request$/g, '')]
      .map((name) => this.#types.get(name))
      .find((type) => type !== undefined)

  typeNamed = (name: string): string | undefined => {
    const type = `${this.#app}.${name.replaceAll('_', '')}`
    return [...this.#types.values()].includes(type) ? type : undefined
  }

  hasField = (type: string, name: string): boolean => this.#fields.get(type)?.has(name) === true
}

const objectTypeOf = ({ app_label, model }: JsonObject): string => `${app_label}.${model}`

function derivePack(
  base: string,
  collections: readonly SourceCollection[],
  documents: SourceDocuments,
  schemas: SourceSchemas,
): DerivedPack {
  const typed = collections.filter(({ type }) => type !== undefined)
  const app = String(typed[0]?.type?.app_label ?? base.replaceAll('-', '_'))
  schemas.within(app)
  const leftOut: { path: string; reason: string }[] = []
  const aliases = new Map<SourceCollection, string[]>()
  for (const collection of collections) {
    if (collection.type) continue
    const same = typed.find(({ schema }) => schema === collection.schema)
    if (same) aliases.set(same, [...(aliases.get(same) ?? []), below(base, collection.path)])
    else
      leftOut.push({
        path: collection.path,
        reason: ADDRESS.test(collection.path)
          ? 'it has no object type: it shows objects of another model, or no data'
          : 'no list here can have this address',
      })
  }
  const parts = typed.map((collection) =>
    new CollectionModel(collection, documents.options.get(collection.path) ?? {}, schemas).derive(
      below(base, collection.path),
      aliases.get(collection) ?? [],
    ),
  )
  const version = documents.versions[app]
  return {
    document: {
      name: base,
      app,
      label: titleOf(base),
      ...(typeof version === 'string' && version !== '' && { version: firstCharacters(version, 50) }),
      description: `Derived from the plugin ${app} of a NetBox.`,
      models: withRoots(
        app,
        withCounts(
          app,
          parts.map(({ model }) => model),
        ),
      ),
    },
    notes: parts.flatMap(({ notes }) => notes),
    leftOut,
  }
}

const below = (base: string, path: string): string => path.slice(`plugins/${base}/`.length)

const titleOf = (base: string): string => {
  const words = base.replace(/^netbox[-_]/, '').replaceAll(/[-_]/g, ' ')
  return words.length <= 4 ? words.toUpperCase() : `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** Fields that no model declares. */
const SERVED: ReadonlySet<string> = new Set([
  ...['id', 'url', 'display', 'display_url'],
  // Of bodies.
  ...['add_tags', 'remove_tags', 'changelog_message'],
])

/** Options of the standard fields: a field of that name with another form is declared. */
const USUAL: Readonly<Record<StandardField, (shown: JsonObject) => boolean>> = {
  description: ({ maxLength, nullable }) => maxLength === 200 && nullable !== true,
  owner: () => true,
  comments: ({ type, nullable }) => type === 'string' && nullable !== true,
  tags: ({ type }) => type === 'array',
  custom_fields: ({ type }) => type === 'object',
  created: () => true,
  last_updated: () => true,
}

/** What the documents say of one collection. */
class CollectionModel {
  readonly #collection: SourceCollection
  readonly #described: JsonObject
  readonly #schemas: SourceSchemas
  readonly #shown: JsonObject
  readonly #sent: JsonObject
  readonly #required: ReadonlySet<string>
  readonly #filters: ReadonlyMap<string, string>

  constructor(collection: SourceCollection, options: JsonObject, schemas: SourceSchemas) {
    const { operations } = collection
    this.#collection = collection
    this.#schemas = schemas
    this.#shown = schemas.properties(collection.schema)
    const body = inside(operations, 'post', 'requestBody', 'content', 'application/json', 'schema')
    const single = schemas.resolve(objectsIn(isJsonObject(body) ? body.oneOf : undefined)[0] ?? body)
    this.#sent = isJsonObject(single.properties) ? single.properties : {}
    this.#required = new Set(stringsIn(single.required))
    const actions = isJsonObject(options.actions) ? options.actions : {}
    this.#described = { ...asObject(actions.PUT), ...asObject(actions.POST) }
    this.#filters = new Map(
      objectsIn(inside(operations, 'get', 'parameters')).map(({ name, schema }) => [
        String(name),
        String(inside(schema, 'items', 'type') ?? inside(schema, 'type')),
      ]),
    )
  }

  derive(path: string, aliases: readonly string[]) {
    const type = this.#collection.type ?? {}
    const objectType = objectTypeOf(type)
    const notes: { model: string; field: string; note: string }[] = []
    const fields: Record<string, PackField> = {}
    const names = [...new Set([...Object.keys(this.#shown), ...Object.keys(this.#sent)])]
    const generic = this.#genericRelations(names)
    const covered = new Set(generic.flatMap(({ covers }) => covers))
    for (const name of names) {
      const relation = generic.find(({ covers }) => covers[0] === name)
      if (relation) fields[relation.name] = relation.field
      if (covered.has(name) || SERVED.has(name) || this.#isStandard(name)) continue
      if (!isFieldName(name)) {
        notes.push({ model: objectType, field: name, note: 'No field here can have this name: it is left out' })
        continue
      }
      const { field, note } = deriveField(this.#known(name), this.#schemas)
      fields[name] = field
      if (note !== undefined) notes.push({ model: objectType, field: name, note })
    }
    const features = stringsIn(type.features)
    const brief = Object.keys(this.#schemas.properties(`Brief${this.#collection.schema}`))
    const without = STANDARD_FIELDS.filter((name) => !(name in this.#shown))
    const model: PackModel = {
      name: String(type.model),
      path,
      ...(aliases.length > 0 && { aliases }),
      labels: [lowered(type.model_name ?? type.model), lowered(type.model_name_plural ?? type.model)],
      fields,
      ...(without.length > 0 && { without }),
      recorded_display: true,
      ...(brief.length > 0 && {
        brief: brief.filter((name) => !SERVED.has(name) && (name in fields || isIn(STANDARD_FIELDS, name))),
      }),
      ...(features.includes('contacts') && { contacts: true }),
      ...(features.includes('image_attachments') && { images: true }),
      ...(this.#collection.operations.post === undefined && { read_only: true }),
    }
    return { model, notes }
  }

  #isStandard(name: string): boolean {
    const shown = this.#shown[name]
    return isIn(STANDARD_FIELDS, name) && isJsonObject(shown) && USUAL[name](shown)
  }

  #known(name: string): KnownField {
    const described = asObject(this.#described[name])
    return {
      ...{ name, described, isRequired: this.#required.has(name) },
      shown: schemaIn(this.#shown, name),
      sent: schemaIn(this.#sent, name),
      filterType: this.#filters.get(name),
    }
  }

  /** Pairs of a type and an id, which are one relation to objects of any type. */
  #genericRelations(names: readonly string[]) {
    const pairs = names.flatMap((typeName) => {
      const [, stem] = /^(.*?)_?(object_type|content_type|type)$/.exec(typeName) ?? []
      if (stem === undefined) return []
      const prefix = stem === '' ? '' : `${stem}_`
      const idName = [`${prefix}object_id`, `${prefix}id`].find((name) => names.includes(name) && name !== 'id')
      if (idName === undefined || typeName === 'type') return []
      const [typeSchema, idSchema] = [this.#schema(typeName), this.#schema(idName)]
      if (typeSchema.type !== 'string' || typeSchema.enum !== undefined || idSchema.type !== 'integer') return []
      const shown = [stem, `${prefix}object`, typeName.replace(/_type$/, ''), 'assigned_object'].find(
        (name) => name !== '' && names.includes(name) && schemaIn(this.#sent, name) === undefined,
      )
      return [{ typeName, idName, shown, stem, isNullable: idSchema.nullable === true || !this.#required.has(idName) }]
    })
    return pairs.map(({ typeName, idName, shown, stem, isNullable }) => {
      const usual = typeName.replace(/_type$/, '')
      const name = shown ?? (stem === '' || idName === `${usual}_id` ? usual : stem)
      const field: PackField = {
        ...{ kind: 'any_object', to: ['*'] },
        ...(isNullable && { optional: true }),
        ...(typeName !== `${name}_type` && { type_field: typeName }),
        ...(idName !== `${name}_id` && { id_field: idName }),
        ...(shown === undefined && { shown: false }),
      }
      return { name, field, covers: [typeName, idName, ...(shown === undefined ? [] : [shown])] }
    })
  }

  #schema = (name: string): JsonObject => schemaIn(this.#shown, name) ?? schemaIn(this.#sent, name) ?? {}
}

const asObject = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})

const schemaIn = (properties: JsonObject, name: string): JsonObject | undefined => {
  const schema = ownValue(properties, name)
  return isJsonObject(schema) ? schema : undefined
}

const isIn = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name)

/** A label in lower case, except for abbreviations. */
const lowered = (label: Json | undefined): string =>
  firstCharacters(String(label), 100).replaceAll(/\p{Lu}\p{Ll}+/gu, (word) => word.toLowerCase())

/**
 * The models, none of which has the GraphQL field of another one: the list of a `community` is `…_community_list`, so a
 * model of community lists declares a field without spaces.
 */
function withRoots(app: string, models: readonly PackModel[]): readonly PackModel[] {
  const rootOf = ({ labels }: PackModel) => rootOfPackModel(app, labels)
  return models.map((model) => {
    const taken = models.filter((other) => other !== model).flatMap((other) => [rootOf(other), `${rootOf(other)}_list`])
    return taken.includes(rootOf(model)) ? { ...model, graphql: { root: `${app}_${model.name}` } } : model
  })
}

/** The models, whose counts are related counts if exactly one relation of the pack can be meant. */
const withCounts = (app: string, models: readonly PackModel[]): readonly PackModel[] =>
  models.map((model) => ({
    ...model,
    fields: Object.fromEntries(
      Object.entries(model.fields).map(([name, field]) => [name, countOf(app, model, name, models) ?? field]),
    ),
  }))

function countOf(app: string, model: PackModel, name: string, models: readonly PackModel[]): PackField | undefined {
  const [, counted] = /^(.+)_count$/.exec(name) ?? []
  if (counted === undefined || model.fields[name]?.read_only !== true) return undefined
  const relations = models.flatMap((other) =>
    Object.entries(other.fields)
      .filter(([, { kind, to }]) => (kind === 'object' || kind === 'objects') && to === `${app}.${model.name}`)
      .map(([via]) => ({ other, via })),
  )
  const meant = relations.filter(({ other }) => other.name.endsWith(counted.replaceAll('_', '')))
  const [only, ...more] = meant
  return only && more.length === 0 ? { kind: 'count', of: `${app}.${only.other.name}`, via: only.via } : undefined
}

import type { Json, JsonObject } from '../json.ts'
import { checkerOf } from '../json-schema.ts'
import { type MenuIcon, OBJECT_ICONS, SUBJECT_ICONS } from '../menu.ts'
import { FIELD_SCHEMA, type PackField } from './pack-fields.ts'

/** What must be true of every object of a model; an object for which it is false is refused. */
export interface PackRule {
  readonly expression: string
  readonly message: string
  /** Field that the message is about; by default the object. */
  readonly field?: string
  /** The rule is about changes of these fields: new objects and other changes need not follow it. */
  readonly changing?: readonly string[]
}

/** A filter beyond those of the fields. */
export interface PackFilter {
  readonly path: string
  readonly kind: 'text' | 'integer' | 'decimal' | 'boolean' | 'date' | 'dateTime' | 'presence' | 'address' | 'object'
  /** Object type to which the path leads, and the field by which objects are named; for `object`. */
  readonly to?: string
  readonly by?: string
  /** The nodes below a node of a tree count too. */
  readonly descendants?: boolean
}

/** Fields that no two objects may have in common, and the conditions of that. */
export interface PackUnique {
  readonly fields: readonly string[]
  readonly where_null?: readonly string[]
  readonly where_not_null?: readonly string[]
  readonly where_not_empty?: readonly string[]
  readonly nulls_equal?: boolean
}

/** The field with the name that the source of an import gave an object. */
export const RECORDED_DISPLAY = '_display'

/** A model of a pack. */
export interface PackModel {
  /** Name without the app; with it, the object type. */
  readonly name: string
  /** Path below the address of the pack, and further ones. */
  readonly path?: string
  readonly aliases?: readonly string[]
  /** Names of one object and of several, in lower case. */
  readonly labels: readonly [string, string]
  readonly about?: string
  readonly fields: Readonly<Record<string, PackField>>
  /** Fields that most models have and that this one lacks. */
  readonly without?: readonly StandardField[]
  /** Name of an object: a template such as `{name}`, or `=` and an expression. By default its first text. */
  readonly display?: string
  /** Imported objects keep the name that their source gave them, until they are changed. */
  readonly recorded_display?: boolean
  readonly brief?: readonly string[]
  readonly order?: readonly string[]
  readonly search?: readonly string[]
  readonly unique?: readonly (readonly string[] | PackUnique)[]
  readonly rules?: readonly PackRule[]
  readonly filters?: Readonly<Record<string, PackFilter | null>>
  /** Parent of a tree of objects. */
  readonly parent?: string
  readonly contacts?: boolean
  readonly images?: boolean
  readonly read_only?: boolean
  /** False: no change records, events or past versions, for rows that the pack itself writes by thousands. */
  readonly logged?: false
  /** Branches show the objects of main, and cannot change them. */
  readonly shared?: true
  /** Further indexes, by their fields. */
  readonly indexes?: readonly (readonly string[])[]
  /** The relation to the object without which a user does not see the row; see `VisibleWith`. */
  readonly visible_with?: { readonly relation: string; readonly types?: string; readonly or_none?: boolean }
  /** Columns of lists, and groups of the form, by their headings. */
  readonly columns?: readonly string[]
  readonly groups?: Readonly<Record<string, readonly string[]>>
  readonly graphql?: { readonly type?: string; readonly root?: string }
}

/** Fields that models of packs have unless they say otherwise. */
export const STANDARD_FIELDS = [
  'description',
  'owner',
  'comments',
  'tags',
  'custom_fields',
  'created',
  'last_updated',
] as const
export type StandardField = (typeof STANDARD_FIELDS)[number]

/** A value of the configuration of a pack, which people change on its page. */
export type PackSetting = {
  readonly kind: 'text' | 'integer' | 'boolean' | 'choice'
  readonly label?: string
  readonly help?: string
  readonly default: string | number | boolean
  /** Limits of an integer. */
  readonly range?: readonly [number, number]
  /** Values of a choice. */
  readonly choices?: readonly string[]
}

/** What is wrong with the value of a setting, as a sentence; undefined if it fits. */
export function settingProblem({ kind, range, choices = [] }: PackSetting, value: unknown): string | undefined {
  if (kind === 'boolean') return typeof value === 'boolean' ? undefined : 'Expected true or false.'
  if (kind === 'integer') {
    const [least, most] = range ?? [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
    const fits = Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
    return fits ? undefined : range ? `Expected a whole number from ${least} to ${most}.` : 'Expected a whole number.'
  }
  if (typeof value !== 'string' || value.length > LONGEST_SETTING) {
    return `Expected a text of at most ${LONGEST_SETTING} characters.`
  }
  return kind === 'text' || choices.includes(value) ? undefined : `Expected one of ${choices.join(', ')}.`
}

const LONGEST_SETTING = 1000

/** An entry of the menu that leads to a page. */
export interface PackPage {
  readonly label: string
  /** Path below the base path. */
  readonly path: string
  /** For users who may view objects of this type; without it, for superusers. */
  readonly model?: string
  readonly group?: string
}

/** A pack as data: what `pack.yaml` contains. */
export interface PackDocument {
  readonly name: string
  /** Address below /api/plugins/; by default the name. */
  readonly address?: string
  /** Beginning of the object types; by default the name. */
  readonly app?: string
  readonly label?: string
  readonly version?: string
  readonly description?: string
  readonly author?: string
  /** A pack in a folder is on unless somebody has switched it off. */
  readonly enabled?: boolean
  /** Its settings by name. */
  readonly settings?: Readonly<Record<string, PackSetting>>
  readonly menu?: {
    readonly section?: string
    readonly icon?: MenuIcon
    /** Names of models by heading. */
    readonly groups?: Readonly<Record<string, readonly string[]>>
    /** Pages that are not lists, under a heading; by default under the label of the pack. */
    readonly pages?: readonly PackPage[]
  }
  readonly models?: readonly PackModel[]
}

/** Beginning of the object types of a pack. */
export const appOf = ({ name, app = name.replaceAll('-', '_') }: PackDocument): string => app

/** Address of a pack below /api/plugins/. */
export const addressOf = ({ name, address = name }: PackDocument): string => address

const TEXT = { type: 'string', maxLength: 1000 }
const SHORT = { type: 'string', minLength: 1, maxLength: 100 }
const FIELD_NAME = { type: 'string', pattern: '^_?[a-z][a-z0-9_]*$', maxLength: 50 }
const PATH = { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*)*$', maxLength: 100 }
const WORD = { type: 'string', pattern: '^[a-z][a-z0-9]*$', maxLength: 60 }
const OBJECT_TYPE = { type: 'string', pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9]*$', maxLength: 100 }
const listOf = (items: Json): JsonObject => ({ type: 'array', items })
const fields = listOf(SHORT)

/** A JSON object with these properties and no others; a property of the type without a schema does not compile. */
const objectOf = <T>(
  properties: { readonly [K in keyof Required<T>]: JsonObject },
  required: readonly (keyof T & string)[],
): JsonObject => ({ type: 'object', properties, required, additionalProperties: false })

const MODEL_SCHEMA = objectOf<PackModel>(
  {
    name: WORD,
    path: PATH,
    aliases: listOf(PATH),
    labels: { ...listOf(SHORT), minItems: 2, maxItems: 2 },
    about: TEXT,
    fields: { type: 'object', propertyNames: FIELD_NAME, additionalProperties: FIELD_SCHEMA },
    without: listOf({ enum: [...STANDARD_FIELDS] }),
    display: { ...TEXT, minLength: 1 },
    recorded_display: { type: 'boolean' },
    brief: fields,
    order: fields,
    search: fields,
    unique: listOf({
      anyOf: [
        { ...fields, minItems: 1 },
        objectOf<PackUnique>(
          {
            ...{ fields: { ...fields, minItems: 1 }, where_null: fields, where_not_null: fields },
            ...{ where_not_empty: fields, nulls_equal: { type: 'boolean' } },
          },
          ['fields'],
        ),
      ],
    }),
    rules: listOf(
      objectOf<PackRule>(
        {
          ...{ expression: { ...SHORT, maxLength: 2000 }, message: { ...SHORT, maxLength: 500 } },
          ...{ field: FIELD_NAME, changing: { ...listOf(FIELD_NAME), minItems: 1 } },
        },
        ['expression', 'message'],
      ),
    ),
    filters: {
      type: 'object',
      propertyNames: FIELD_NAME,
      additionalProperties: {
        anyOf: [
          { type: 'null' },
          objectOf<PackFilter>(
            {
              path: { type: 'string', pattern: '^[a-z_][a-z0-9_.]*$' },
              kind: {
                enum: ['text', 'integer', 'decimal', 'boolean', 'date', 'dateTime', 'presence', 'address', 'object'],
              },
              ...{ to: OBJECT_TYPE, by: FIELD_NAME, descendants: { type: 'boolean' } },
            },
            ['path', 'kind'],
          ),
        ],
      },
    },
    parent: FIELD_NAME,
    contacts: { type: 'boolean' },
    images: { type: 'boolean' },
    read_only: { type: 'boolean' },
    logged: { const: false },
    shared: { const: true },
    indexes: listOf({ ...fields, minItems: 1 }),
    visible_with: objectOf<NonNullable<PackModel['visible_with']>>(
      { relation: FIELD_NAME, types: FIELD_NAME, or_none: { type: 'boolean' } },
      ['relation'],
    ),
    columns: fields,
    groups: { type: 'object', additionalProperties: fields },
    graphql: objectOf<NonNullable<PackModel['graphql']>>(
      {
        type: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9]*$' },
        root: { type: 'string', pattern: '^[a-z][a-z0-9_]*$' },
      },
      [],
    ),
  },
  ['name', 'labels', 'fields'],
)

const NAME = { type: 'string', pattern: '^[a-z][a-z0-9]*([_-][a-z0-9]+)*$', maxLength: 50 }

/** JSON schema of a pack's document. */
export const PACK_SCHEMA = objectOf<PackDocument>(
  {
    name: NAME,
    address: NAME,
    app: { type: 'string', pattern: '^[a-z][a-z0-9]*(_[a-z0-9]+)*$', maxLength: 50 },
    label: SHORT,
    version: { ...SHORT, maxLength: 50 },
    description: TEXT,
    author: TEXT,
    enabled: { type: 'boolean' },
    settings: {
      type: 'object',
      propertyNames: FIELD_NAME,
      additionalProperties: objectOf<PackSetting>(
        {
          kind: { enum: ['text', 'integer', 'boolean', 'choice'] },
          ...{ label: SHORT, help: TEXT, default: { type: ['string', 'number', 'boolean'] } },
          range: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
          choices: { ...listOf(SHORT), minItems: 1 },
        },
        ['kind', 'default'],
      ),
    },
    menu: objectOf<NonNullable<PackDocument['menu']>>(
      {
        section: SHORT,
        icon: { enum: [...OBJECT_ICONS, ...SUBJECT_ICONS] },
        groups: { type: 'object', additionalProperties: listOf(WORD) },
        pages: listOf(
          objectOf<PackPage>(
            {
              label: SHORT,
              path: { type: 'string', pattern: '^/[a-z0-9][a-z0-9/_-]*/$', maxLength: 100 },
              ...{ model: OBJECT_TYPE, group: SHORT },
            },
            ['label', 'path'],
          ),
        ),
      },
      [],
    ),
    models: { ...listOf(MODEL_SCHEMA), maxItems: 200 },
  },
  ['name'],
)

const check = checkerOf(PACK_SCHEMA)

/** The pack that a JSON value describes, or what is wrong with it, as a sentence without its point. */
export function parsePack(value: unknown): PackDocument | { readonly problem: string } {
  const problem = check(value)
  if (problem !== undefined) return { problem }
  const document = value as PackDocument // as the schema demands
  for (const [name, setting] of Object.entries(document.settings ?? {})) {
    const wrong = settingProblem(setting, setting.default)
    if (wrong !== undefined) return { problem: `settings/${name}/default: ${wrong.slice(0, -1)}` }
  }
  return document
}

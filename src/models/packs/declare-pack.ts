import { boundedName } from '../../schema/bounded-name.ts'
import { columnsOf } from '../../schema/column.ts'
import { comments, description, LOGGED, owner, PRIMARY, timestamps } from '../../schema/common.ts'
import { customFields, type Field, type Fields, tags, text } from '../../schema/field.ts'
import { nameAsWords } from '../../schema/fields/kind.ts'
import { type FilterDeclaration, listContains, present, related, relatedTree } from '../../schema/filter.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import { PARAMETERS_OF_REQUESTS } from '../../schema/list-parameters.ts'
import type { Definition, Unique, VisibleWith } from '../../schema/model.ts'
import {
  addressOf,
  appOf,
  type PackDocument,
  type PackFilter,
  type PackModel,
  RECORDED_DISPLAY,
  type StandardField,
} from '../../schema/packs/pack-document.ts'
import { declareField, type PackField, relatedTypes } from '../../schema/packs/pack-fields.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { type AnyRow, type Behaviour, behaviour, type Change, type Normalizer } from '../../schema/rule.ts'
import { type Children, type ChildrenTab, type DeclaredView, type FieldGroup, fieldGroup } from '../../schema/view.ts'
import { isWritable } from '../../schema/writable.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { isAddress } from '../custom-models/custom-models.ts'
import type { DeclaredComputation } from '../extras/computed-field.ts'

/** Beginning of the names of all tables with objects of packs. */
export const PACK_TABLES = 'pack_'

/** What the models of a pack declare. */
export interface DeclaredPack {
  readonly models: readonly Definition[]
  readonly views: readonly DeclaredView[]
  /** Lists on the pages of objects to which the objects of the pack refer, by their models. */
  readonly overviews: ReadonlyMap<string, readonly Children[]>
  readonly tabs: ReadonlyMap<string, readonly ChildrenTab[]>
  readonly computed: readonly DeclaredComputation[]
  readonly behaviours: readonly Behaviour[]
}

/** Parts of a declaration that the code of a pack adds. */
export type ModelAdditions = Partial<Pick<Definition, 'display' | 'filters' | 'indexes' | 'derivedRows'>>

/** What the code of a pack adds to its models, by their names. */
interface PackAdditions {
  readonly fields: Readonly<Record<string, Fields>>
  readonly models: Readonly<Record<string, ModelAdditions>>
}

const STANDARD: Readonly<Record<StandardField, Field>> = {
  description,
  owner,
  comments,
  tags: tags(),
  custom_fields: customFields(),
  ...timestamps,
}

/**
 * The declarations of a document. `hasSlugs`: whether filters name objects of a model by their slugs. `added`: what the
 * code of the pack adds to its models.
 */
export function declarePack(
  document: PackDocument,
  hasSlugs: (model: string) => boolean,
  added: PackAdditions = { fields: {}, models: {} },
): DeclaredPack {
  const app = appOf(document)
  const { models = [] } = document
  const own = new Set(models.flatMap(({ name, fields }) => ('slug' in fields ? [`${app}.${name}`] : [])))
  const parts = models.map((model) => new ModelParts(document, model, (name) => own.has(name) || hasSlugs(name)))
  return {
    models: parts.map((part) => {
      const definition = part.definition()
      const { filters, ...additions } = added.models[definition.name] ?? {}
      return {
        ...definition,
        ...additions,
        fields: { ...definition.fields, ...added.fields[definition.name] },
        filters: { ...definition.filters, ...filters },
      }
    }),
    views: parts.flatMap((part) => part.view()).map((view) => withInstructions(view, added.fields[view.model])),
    overviews: byModel(parts.flatMap((part) => part.overviews())),
    tabs: byModel(parts.flatMap((part) => part.tabs())),
    computed: parts.flatMap((part) => part.computed()),
    behaviours: parts.flatMap((part) => part.behaviours()),
  }
}

/** The view of a model whose instructions only clients of the API send. */
function withInstructions(view: DeclaredView, fields: Fields = {}): DeclaredView {
  const names = Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'computed' && field.writeOnly === true ? [[name, 'the API'] as const] : [],
  )
  return names.length === 0 ? view : { ...view, setElsewhere: Object.fromEntries(names) }
}

const byModel = <T>(pairs: readonly (readonly [string, T])[]): ReadonlyMap<string, readonly T[]> =>
  new Map(
    [...Map.groupBy(pairs, ([model]) => model)].map(([model, members]) => [model, members.map(([, part]) => part)]),
  )

/** What follows from one model of a document. */
class ModelParts {
  readonly #document: PackDocument
  readonly #model: PackModel
  readonly #hasSlugs: (model: string) => boolean
  readonly #declared: Readonly<Record<string, Field>>

  constructor(document: PackDocument, model: PackModel, hasSlugs: (model: string) => boolean) {
    this.#document = document
    this.#model = model
    this.#hasSlugs = hasSlugs
    const place = { table: this.#table(), hasField: (name: string) => name in model.fields }
    const entries = Object.entries(model.fields).flatMap(([name, field]): readonly (readonly [string, Field])[] => {
      const declared = declareField(field, { ...place, name })
      return declared ? [[name, declared]] : []
    })
    const without = new Set<string>(model.without)
    const standard = Object.entries(STANDARD).filter(([name]) => !without.has(name) && !(name in model.fields))
    const recorded = model.recorded_display
      ? [[RECORDED_DISPLAY, text({ default: '', hidden: true, filter: false, unlogged: true })] as const]
      : []
    this.#declared = Object.fromEntries([...entries, ...standard, ...recorded])
  }

  get #name(): string {
    return `${appOf(this.#document)}.${this.#model.name}`
  }

  /** No two apps have tables of the same name, because their names have no two underscores in a row. */
  #table(): string {
    return boundedName(`${PACK_TABLES}${appOf(this.#document)}_`, this.#model.name)
  }

  definition(): Definition {
    const { path, aliases = [], labels, about, order, search, unique = [], parent, rules = [] } = this.#model
    const root = `plugins/${addressOf(this.#document)}`
    const { display, naming } = this.#display()
    if (parent !== undefined) this.#checkParent(parent)
    const { logged = true, shared, indexes = [], visible_with: visibleWith } = this.#model
    const features = this.#declared.created ? PRIMARY : LOGGED
    return Object.freeze({
      name: this.#name,
      ...(path !== undefined && { path: `${root}/${path}` }),
      ...(aliases.length > 0 && { aliases: aliases.map((alias) => `${root}/${alias}`) }),
      labels,
      ...(about !== undefined && { about }),
      table: this.#table(),
      fields: this.#declared,
      ...display,
      brief: ['id', 'url', 'display', ...(this.#model.brief ?? this.#briefNames(naming))],
      order: [...(order ?? (naming === undefined ? [] : [naming])), 'id'],
      search: search ?? this.#texts(),
      unique: unique.map(uniqueOf),
      filters: this.#filters(),
      ...(naming !== undefined && { naturalKey: [naming] }),
      ...(parent !== undefined && { tree: { parent, orderBy: naming ?? 'id' } }),
      graphql: this.#model.graphql ?? {},
      className: labels[0]
        .replace(/(^|[ -])\p{L}/gu, (letter) => letter.toUpperCase())
        .replaceAll(/[^\p{L}\p{N}]/gu, ''),
      features: [
        ...(logged ? features : []),
        ...(this.#model.contacts ? (['contacts'] as const) : []),
        ...(this.#model.images ? (['imageAttachments'] as const) : []),
      ],
      ...(this.#model.read_only && { methods: ['GET'] as const }),
      ...(shared && { isShared: true as const }),
      ...(indexes.length > 0 && { indexes: indexes.map((fields) => ({ fields })) }),
      ...(visibleWith && { visibleWith: visibleWithOf(visibleWith) }),
      ...(rules.length > 0 && { constraints: rules }),
    })
  }

  /** Throws an Error unless the field is an optional relation to the model itself. */
  #checkParent(name: string): void {
    const field = this.#declared[name]
    const isParent = field?.kind === 'foreignKey' && field.to === this.#name && field.nullable === true
    if (!isParent) throw new Error(`${this.#name}: ${name} is no optional relation to an object of the same model`)
    if (this.#display().naming === undefined)
      throw new Error(`${this.#name}: a tree needs a text that names its objects`)
  }

  /** The display, and the field that names an object. */
  #display() {
    const { display } = this.#model
    const [text] = Object.entries(this.#declared).find(([, field]) => isText(field)) ?? []
    const naming = ['name', 'title', 'model', 'number'].find((name) => isText(this.#declared[name])) ?? text
    const byField = naming === undefined || naming === 'description' ? undefined : naming
    if (display?.startsWith('='))
      return { display: { display: '', displayExpression: display.slice(1) }, naming: byField }
    if (display === undefined && this.#model.recorded_display)
      return { display: { display: this.#recordedDisplay(byField) }, naming: byField }
    const template = display ?? (byField === undefined ? `${this.#model.labels[0]} {id}` : `{${byField}}`)
    return { display: { display: template }, naming: byField }
  }

  /** The name that the source gave an object, else the field that names it. */
  #recordedDisplay(naming: string | undefined): (column: ColumnOf) => Sql {
    const [label] = this.#model.labels
    return (column) => {
      const numbered = sql`${label}::text || ' ' || ${column('id')}::text`
      const named = naming === undefined ? numbered : sql`coalesce(nullif(${column(naming)}::text, ''), ${numbered})`
      return sql`coalesce(nullif(${column(RECORDED_DISPLAY)}, ''), ${named})`
    }
  }

  #briefNames = (naming: string | undefined): readonly string[] => [
    ...(naming === undefined ? [] : [naming]),
    ...('description' in this.#declared && naming !== 'description' ? ['description'] : []),
  ]

  #texts(): readonly string[] {
    return Object.entries(this.#declared).flatMap(([name, field]) => (isText(field) ? [name] : []))
  }

  #filters(): Readonly<Record<string, FilterDeclaration | null>> {
    const usual = Object.entries(this.#model.fields).flatMap(([name, field]) => this.#filtersOf(name, field))
    // The parameter has another meaning in requests for lists.
    const hidden = Object.keys(this.#declared).flatMap((name) => (UNFILTERED.has(name) ? [[name, null] as const] : []))
    const further = Object.entries(this.#model.filters ?? {}).map(
      ([name, filter]) => [name, filter && filterOf(filter)] as const,
    )
    return Object.fromEntries([...usual, ...hidden, ...further])
  }

  #filtersOf(name: string, field: PackField): readonly (readonly [string, FilterDeclaration])[] {
    if (field.filter === false) return []
    const [target = ''] = relatedTypes(field)
    switch (field.kind) {
      case 'object':
        if (field.by === undefined && this.#hasSlugs(target)) return []
        return [[name, related(name, target, field.by)]]
      case 'objects':
        return [
          [`${name}_id`, related(name, target)],
          [name, related(name, target, field.by ?? (this.#hasSlugs(target) ? 'slug' : 'id'))],
        ]
      case 'choices':
      case 'texts':
        return [[name, listContains(name, 'text')]]
      case 'integers':
        return [[name, listContains(name, 'integer')]]
      default:
        return []
    }
  }

  /** How people see the objects; by default as it follows from the fields. */
  view(): readonly DeclaredView[] {
    const { columns, groups } = this.#model
    if (!columns && !groups) return []
    const [label] = this.#model.labels
    const entered = Object.keys(this.#declared).filter((name) => name in this.#model.fields && this.#isEntered(name))
    const form = Object.entries(groups ?? { [nameAsWords(label)]: entered }).map(([heading, names]) =>
      fieldGroup(heading, names),
    )
    const inForm = new Set(form.flatMap(({ fields }) => fields))
    const standard = ['description', 'tags'].filter((name) => name in this.#declared && !inForm.has(name))
    // Values that are computed, and those that only clients of the API set.
    const besides = Object.keys(this.#declared).filter((name) => name in this.#model.fields && !inForm.has(name))
    const shown = (group: FieldGroup) =>
      fieldGroup(
        group.label,
        group.fields.filter((name) => this.#isShown(name)),
      )
    const isFile = (name: string) => this.#declared[name]?.kind === 'file'
    const generic = entered.flatMap((name) => {
      const field = this.#declared[name]
      return field?.kind === 'genericForeignKey' ? [[name, genericKeys(name, field).type] as const] : []
    })
    return [
      {
        model: this.#name,
        columns:
          columns ??
          Object.keys(this.#model.fields)
            .filter((name) => this.#isShown(name))
            .slice(0, 7),
        panels: [[...form, ...(besides.length > 0 ? [fieldGroup('Details', besides)] : [])].map(shown)],
        form: [...form, ...(standard.length > 0 ? [fieldGroup('', standard)] : [])],
        ...(generic.length > 0 && {
          moreColumns: { plus: generic.map(([, type]) => type) },
          importColumns: Object.fromEntries(
            generic.map(([name, type]) => [name, { to: { typeIn: type }, assigns: name }] as const),
          ),
        }),
        cloned: entered.filter((name) => !this.#isUnique(name) && !isFile(name)),
        // Neither forms for many objects nor tables contain files.
        ...(entered.some(isFile) && { bulkEdit: { without: entered.filter(isFile) } }),
        ...((entered.some(isFile) || generic.length > 0) && {
          imports: { without: entered.filter(isFile), plus: generic.map(([, type]) => type) },
        }),
      },
    ]
  }

  #isEntered(name: string): boolean {
    const field = this.#declared[name]
    return field !== undefined && isWritable(field)
  }

  /** Whether responses contain the field under its name. */
  #isShown(name: string): boolean {
    const field = this.#declared[name]
    if (field?.kind === 'genericForeignKey') return field.shown === undefined
    return field !== undefined && !('writeOnly' in field && field.writeOnly)
  }

  #isUnique(name: string): boolean {
    const field = this.#declared[name]
    return field !== undefined && 'unique' in field && field.unique === true
  }

  /** Lists of the objects on the pages of those to which they refer. */
  *#listed(inTabs: boolean): Iterable<readonly [string, Children]> {
    for (const [name, field] of Object.entries(this.#model.fields)) {
      if ((field.tab === true) !== inTabs || field.filter === false || this.#model.path === undefined) continue
      for (const target of relatedTypes(field)) {
        if (target === '*' || target === 'independent') continue
        const declared = this.#declared[name]
        const by =
          declared?.kind === 'genericForeignKey'
            ? { [genericKeys(name, declared).type]: `=${target}`, [genericKeys(name, declared).id]: 'id' }
            : { [`${name}_id`]: 'id' }
        yield [target, { model: this.#name, by }]
      }
    }
  }

  overviews(): readonly (readonly [string, Children])[] {
    return [...this.#listed(false)]
  }

  tabs(): readonly (readonly [string, ChildrenTab])[] {
    const path = `${addressOf(this.#document)}-${this.#model.path ?? ''}`.replaceAll('/', '-')
    return [...this.#listed(true)].map(([target, list]) => [target, { ...list, path, hiddenIfEmpty: true }])
  }

  behaviours(): readonly Behaviour[] {
    if (!this.#model.recorded_display) return []
    const names = Object.entries(this.#declared).flatMap(([name, field]) =>
      columnsOf(name, field).map(({ key }) => key),
    )
    const named = names.filter((name) => name in this.#model.fields)
    const forget = ({ next, previous }: Change<Fields>) => {
      const [after, before] = [next as AnyRow, previous as AnyRow | undefined]
      const isChanged = before && named.some((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]))
      return isChanged ? { [RECORDED_DISPLAY]: '' } : undefined
    }
    return [behaviour(this.definition(), { beforeSave: [forget as Normalizer<Fields>] })] // a field of the model
  }

  computed(): readonly DeclaredComputation[] {
    return Object.entries(this.#model.fields).flatMap(
      ([name, { kind, expression = '', label = '', help = '', type }]) =>
        kind === 'computed'
          ? [
              {
                object_type: this.#name,
                name,
                label,
                description: help,
                expression,
                result_type: type ?? 'text',
                in_lists: false,
              },
            ]
          : [],
    )
  }
}

/** Names of fields by which lists cannot be filtered; a list may have a filter named `start`. */
const UNFILTERED: ReadonlySet<string> = new Set(PARAMETERS_OF_REQUESTS.filter((name) => name !== 'start'))

const isText = (field: Field | undefined): boolean => field?.kind === 'text' && !field.readOnly && !field.hidden

const uniqueOf = (unique: NonNullable<PackModel['unique']>[number]): Unique => {
  if (!('fields' in unique)) return { fields: unique }
  const { fields, where_null, where_not_null, where_not_empty, nulls_equal } = unique
  return {
    fields,
    ...(where_null && { whereNull: where_null }),
    ...(where_not_null && { whereNotNull: where_not_null }),
    ...(where_not_empty && { whereNotEmpty: where_not_empty }),
    ...(nulls_equal && { nullsEqual: true }),
  }
}

const visibleWithOf = ({ relation, types, or_none }: NonNullable<PackModel['visible_with']>): VisibleWith => ({
  relation,
  ...(types !== undefined && { types }),
  ...(or_none && { orNone: true }),
})

function filterOf({ kind, path, to = '', by, descendants }: PackFilter): FilterDeclaration {
  if (kind === 'object') return descendants ? relatedTree(path, to, by) : related(path, to, by)
  if (kind === 'address') return isAddress(path)
  return kind === 'presence' ? present(path) : { kind, path }
}

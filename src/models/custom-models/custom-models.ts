import { ownerOptions, PRIMARY } from '../../schema/common.ts'
import { matchesFromStart } from '../../schema/custom-value.ts'
import { customFields, dateTime, derivedKey, type Field, foreignKey, tags } from '../../schema/field.ts'
import { nameAsWords } from '../../schema/fields/kind.ts'
import { custom, type FilterDeclaration, listContains, related } from '../../schema/filter.ts'
import { PARAMETERS_OF_REQUESTS } from '../../schema/list-parameters.ts'
import type { Definition, Unique } from '../../schema/model.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { type AnyRow, type Behaviour, behaviour, type Read, type Refusal, type RowOf } from '../../schema/rule.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { type Children, type DeclaredView, type FieldGroup, fieldGroup } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { CUSTOM_MODELS_PATH, customObjectType } from './custom-object-type.ts'
import { displayParts } from './display-expression.ts'
import { targetsOf } from './target-model.ts'
import {
  type CustomObjectField,
  declaredFields,
  enteredNames,
  hasUse,
  isJoined,
  listName,
  listNames,
  namesOf,
  shownNames,
  type ValueField,
} from './value-field.ts'

/** A stored row of a custom model. */
export type CustomObjectType = RowOf<typeof customObjectType.fields>

/** A custom model with its fields, by weight. */
export interface CustomModel {
  readonly type: CustomObjectType
  readonly fields: readonly ValueField[]
}

/** The table of the objects of a type, which keeps its name when the type is renamed. */
export const tableOfType = (type: Pick<CustomObjectType, 'object_type_name' | 'extends'>): string =>
  type.extends === null ? `custom_${type.object_type_name.split('.')[1]}` : type.extends.replace('.', '_')

/** Singular and plural, by which people know the objects. */
export function labelsOf(type: CustomObjectType): readonly [string, string] {
  const singular = type.verbose_name || type.name.replaceAll('_', ' ')
  return [singular, type.verbose_name_plural || `${singular}s`]
}

const STANDARD: Readonly<Record<string, Field>> = {
  owner: foreignKey(SYSTEM.owner, ownerOptions),
  tags: tags(),
  custom_fields: customFields(),
  created: dateTime({ nullable: true, readOnly: true, auto: 'insert' }),
  last_updated: dateTime({ nullable: true, readOnly: true, auto: 'save', unlogged: true }),
}

/** Names that every object of a custom model has, or that requests use for other purposes: no field may have them. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...PARAMETERS_OF_REQUESTS,
  ...Object.keys(STANDARD),
  // A body without the field seems to have it: every object of JavaScript inherits these.
  ...Object.getOwnPropertyNames(Object.prototype),
  ...['id', 'pk', 'url', 'display', 'display_url', 'display_name', 'custom_object_type', 'contacts', 'contact'],
  ...['contact_role', 'contact_group', 'owner_id', 'owner_group', 'owner_group_id', 'add_tags', 'remove_tags', 'tag'],
  ...['tag_id', 'changelog_message', 'created_by_request', 'updated_by_request', 'modified_by_request'],
  ...['local_context_data', 'custom_field_data', 'custom_object_type_id', 'bookmarks', 'journal_entries', 'model'],
  ...['objects', 'save', 'delete', 'clean', 'clone', 'snapshot', 'images', 'changelog', 'dynamic_group'],
  ...['dynamic_group_id', 'subscriptions', 'object_type', 'class_type'],
])

/** The name of an object: the display expression, or the primary field; without a value the type and the id. */
const displayOf = ({ type, fields }: CustomModel): ((column: ColumnOf) => Sql) => {
  const [label] = labelsOf(type)
  const names = new Set(fields.flatMap(({ row }) => (hasUse(row.type, 'name') ? [row.name] : [])))
  const primary = fields.find(({ row }) => row.primary && names.has(row.name))?.row.name
  const fallback = (column: ColumnOf) => sql`${label}::text || ' ' || ${column('id')}::text`
  const text = (column: ColumnOf, name: string) => sql`${column(name)}::text`
  const parts = displayParts(type.display_expression)
  return (column) => {
    const byPrimary = primary === undefined ? sql`null` : text(column, primary)
    const rendered = parts.map((part) => {
      if ('text' in part) return sql`${part.text}::text`
      return names.has(part.field) ? sql`coalesce(${text(column, part.field)}, '')` : sql`''`
    })
    const whole = rendered.reduce<Sql | undefined>(
      (joined, part) => (joined ? sql`${joined} || ${part}` : part),
      undefined,
    )
    return sql`coalesce(nullif(trim(${whole ?? sql`''`}), ''), nullif(${byPrimary}, ''), ${fallback(column)})`
  }
}

function uniqueOf({ type, fields }: CustomModel): readonly Unique[] {
  const names = new Set(fields.flatMap(({ row }) => namesOf(row)))
  const sets = Array.isArray(type.unique_together) ? type.unique_together : []
  return sets.flatMap((set) =>
    Array.isArray(set) && set.length > 1 && set.every((name) => typeof name === 'string' && names.has(name))
      ? [{ fields: set as readonly string[] }] // each was checked above
      : [],
  )
}

function orderOf({ type, fields }: CustomModel): readonly string[] {
  const names = new Set(fields.filter(({ row }) => row.type !== 'multiobject').flatMap(({ row }) => namesOf(row)))
  const chosen = type.ordering.filter((term) => names.has(term.replace(/^-/, '')))
  if (chosen.length > 0) return [...chosen, 'id']
  const primary = fields.find(({ row }) => row.primary)?.row.name
  return primary === undefined ? ['id'] : [primary, 'id']
}

/**
 * Filters beyond those of the fields: an object by its id, also under the name of the field if the model has no slugs,
 * and the objects of one type that a field for several types refers to.
 */
export function filtersOf({ fields }: Pick<CustomModel, 'fields'>, hasSlugs: (model: string) => boolean) {
  const filters = fields.flatMap(({ row }): readonly (readonly [string, FilterDeclaration])[] => {
    const { name } = row
    const targets = targetsOf(row)
    const [target = ''] = targets
    if (row.type === 'address' || row.type === 'prefix') return [[name, isAddress(name)]]
    if (isJoined(row)) return targets.flatMap((type) => byIds(listName(row, type), type))
    if (row.is_polymorphic) {
      return targets.map((type) => [listName(row, type), refersTo(name, type)])
    }
    if (row.type === 'multiselect' && row.filter_logic !== 'disabled') return [[name, listContains(name, 'text')]]
    if (target !== '' && row.type === 'multiobject') return byIds(name, target)
    return target !== '' && !hasSlugs(target) ? [[name, related(name, target)]] : []
  })
  return Object.fromEntries(filters)
}

/** Names that a field takes: those of its values, and the parameters by which requests filter by them. */
export function claimedNames(row: CustomObjectField): readonly string[] {
  const field: ValueField = { row, table: '', column: '', choices: undefined }
  const declared = Object.entries(declaredFields(field)).flatMap(([name, declaration]) => {
    switch (declaration.kind) {
      case 'foreignKey':
        return [name, `${name}_id`, ...Object.keys(declaration.filters ?? {})]
      case 'genericForeignKey':
        return [name, `${name}_type`, `${name}_type_id`, `${name}_id`]
      default:
        return [name]
    }
  })
  // Whether objects have slugs decides what a name means, not which names there are.
  return [...new Set([...declared, ...Object.keys(filtersOf({ fields: [field] }, () => true))])]
}

/** The filters of a list of objects. */
const byIds = (name: string, target: string) =>
  [name, `${name}_id`].map((filter) => [filter, related(name, target)] as const)

/** An address or a network, as responses show it. */
export const isAddress = (name: string): FilterDeclaration =>
  custom({
    value: 'text',
    multiple: true,
    where: ({ column }, values) => {
      const texts = values.filter((value) => value !== null)
      const isListed = sql`text(${column(name)}) = any(${texts.map(String)}::text[])`
      return values.includes(null) ? sql`(${isListed} or ${column(name)} is null)` : isListed
    },
  })

const refersTo = (name: string, type: string): FilterDeclaration =>
  custom({
    value: 'integer',
    multiple: true,
    where: ({ column }, values) =>
      sql`${column(`${name}_type`)} = ${type} and ${column(`${name}_id`)} = any(${[...values]}::bigint[])`,
  })

/** Names of the root fields of GraphQL by type: the later one of two that are equal gets the id of its type. */
export function rootNames(types: readonly CustomModel[]): ReadonlyMap<CustomModel, string> {
  const names = new Map<CustomModel, string>()
  const taken = new Set<string>()
  for (const defined of types) {
    const name = `custom_objects_${defined.type.slug.replaceAll(/\W/g, '_')}`
    const root = taken.has(name) ? `${name}_${defined.type.id}` : name
    taken.add(root)
    names.set(defined, root)
  }
  return names
}

/** Name in code and GraphQL. Labels may contain any characters, and those of two models may be equal. */
const classNameOf = ({ object_type_name }: CustomObjectType): string => {
  const [, key = ''] = object_type_name.split('.')
  return `${key.charAt(0).toUpperCase()}${key.slice(1)}CustomObject`
}

/** The model that a type declares. `hasSlugs`: whether objects of a model are named by slugs in filters. */
export function definitionOf(defined: CustomModel, root: string, hasSlugs: (model: string) => boolean): Definition {
  const { type, fields } = defined
  const declared = Object.assign({}, ...fields.map(declaredFields)) as Readonly<Record<string, Field>>
  const texts = fields.filter(({ row }) => ['text', 'longtext', 'url'].includes(row.type)).map(({ row }) => row.name)
  const naming = fields.find(({ row }) => row.primary)
  const lists = fields.flatMap(({ row }) => listNames(row))
  const primary = fields.filter(({ row }) => row.primary || row.context).map(({ row }) => row.name)
  return {
    name: type.object_type_name,
    path: `${CUSTOM_MODELS_PATH}/${type.slug}`,
    labels: labelsOf(type),
    ...(type.description !== '' && { about: type.description }),
    table: tableOfType(type),
    fields: {
      custom_object_type: derivedKey(customObjectType.name, () => sql`${type.id}::bigint`),
      ...declared,
      ...STANDARD,
    },
    display: displayOf(defined),
    className: classNameOf(type),
    graphql: { root },
    brief: ['id', 'url', 'display', ...primary],
    ...(lists.length > 0 && { namedOnly: lists }),
    order: orderOf(defined),
    ...(texts.length > 0 && { search: texts }),
    unique: uniqueOf(defined),
    filters: filtersOf(defined, hasSlugs),
    ...(naming && { naturalKey: [naming.row.name] }),
    features: [...PRIMARY, 'contacts', 'imageAttachments'],
  }
}

const REQUIRED = 'This field is required.'

/** Rules that columns do not express. */
export function complaints({ fields }: CustomModel, next: AnyRow): Refusal | undefined {
  const refusal: Record<string, string> = {}
  for (const { row } of fields) {
    const [name = '', second] = namesOf(row)
    const value = next[name]
    const isMissing = (isJoined(row) ? listNames(row).map((list) => next[list]) : [value]).every(isNothing)
    const key = row.is_polymorphic && !isJoined(row) ? `${name}_id` : name
    if (row.required && isMissing && (key === name || next[key] == null)) refusal[key] = REQUIRED
    else if (row.validation_regex !== '' && typeof value === 'string') {
      if (matchesFromStart(row.validation_regex, value) !== true) {
        refusal[name] = `The value must match the regular expression ${row.validation_regex}.`
      }
    } else if (row.type === 'coordinates' && second !== undefined && isMissing !== (next[second] == null)) {
      refusal[isMissing ? name : second] = 'Latitude and longitude belong together.'
    }
  }
  return Object.keys(refusal).length > 0 ? refusal : undefined
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/** An empty text means that there is no value. */
export function withoutEmptyTexts({ fields }: CustomModel, next: AnyRow): Readonly<Record<string, null>> {
  const empty = fields.flatMap(({ row }) => namesOf(row)).filter((name) => next[name] === '')
  return Object.fromEntries(empty.map((name) => [name, null]))
}

/** The behaviour of a type's objects. */
export const behaviourOf = (defined: CustomModel, definition: Definition): Behaviour =>
  behaviour(definition, {
    normalize: [({ next }) => withoutEmptyTexts(defined, next as AnyRow)],
    modelRules: [
      ({ next }) => complaints(defined, next as AnyRow),
      ({ next, previous, sent, read }) => hiddenObjects(defined, { next, previous, sent, read }),
    ],
  })

interface SentRow {
  readonly next: AnyRow
  readonly previous: AnyRow | undefined
  readonly sent: ReadonlySet<string>
  readonly read: Read
}

/**
 * Refuses objects that a body adds by the list of one type and that its sender may not view: responses show more of them
 * than their ids. The list of all types refuses them when it is parsed.
 */
async function hiddenObjects(
  { fields }: CustomModel,
  { next, previous, sent, read }: SentRow,
): Promise<Refusal | undefined> {
  const lists = fields.flatMap(({ row }) =>
    isJoined(row) ? targetsOf(row).map((target) => ({ target, list: listName(row, target) })) : [],
  )
  for (const { target, list } of lists.filter((part) => sent.has(part.list))) {
    const kept = new Set(idsIn(previous?.[list]))
    const added = idsIn(next[list]).filter((id) => !kept.has(id))
    const visible = await Promise.all(added.map(async (id) => await read.shows({ name: target }, id)))
    const hidden = added.find((_id, index) => !visible[index])
    if (hidden !== undefined) {
      return { [list]: `Related object not found using the provided numeric ID: ${hidden}` }
    }
  }
  return undefined
}

const idsIn = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.filter((id) => typeof id === 'number') : []

/** How a type's objects are shown and edited. `pluralOf`: name of the objects of a model. */
export function viewOf({ type, fields }: CustomModel, pluralOf: (model: string) => string): DeclaredView {
  const [label] = labelsOf(type)
  const title = label.charAt(0).toUpperCase() + label.slice(1)
  const groups = (isPart: (field: ValueField) => boolean, namesOfField: typeof namesOf): readonly FieldGroup[] =>
    [...Map.groupBy(fields.filter(isPart), ({ row }) => row.group_name || title)].map(([heading, part]) =>
      fieldGroup(
        heading,
        part.flatMap(({ row }) => namesOfField(row)),
      ),
    )
  const visible = groups(({ row }) => row.ui_visible !== 'hidden', shownNames)
  const joined = fields.filter(({ row }) => isJoined(row))
  const generic = fields.flatMap(({ row }) => (row.type === 'object' && row.is_polymorphic ? [row.name] : []))
  const filtered = fields.filter(({ row }) => row.filter_logic !== 'disabled' && hasUse(row.type, 'filter'))
  const names = visible.flatMap((group) => group.fields)
  const elsewhere = fields
    .filter(({ row }) => row.ui_editable !== 'yes')
    .flatMap(({ row }) => namesOf(row).map((name) => [name, 'the API'] as const))
  const weights = fields.flatMap(({ row }) =>
    row.search_weight > 0 && hasUse(row.type, 'search') ? [[row.name, row.search_weight] as const] : [],
  )
  return {
    model: type.object_type_name,
    columns: [...names.filter((name) => !name.endsWith('_title')).slice(0, 7), 'tags'],
    panels: [visible.length > 0 ? visible : [fieldGroup(title, ['custom_object_type'])]],
    form: [...groups(({ row }) => row.ui_editable === 'yes', enteredNames), fieldGroup('', ['owner', 'tags'])],
    setElsewhere: {
      ...Object.fromEntries(joined.map(({ row }) => [row.name, 'its lists'])),
      ...Object.fromEntries(elsewhere),
    },
    shownElsewhere: joined.flatMap(({ row }) => listNames(row)),
    fieldLabels: Object.fromEntries(
      joined.flatMap(({ row }) =>
        targetsOf(row).map((target) => [
          listName(row, target),
          `${row.label || nameAsWords(row.name)}: ${pluralOf(target)}`,
        ]),
      ),
    ),
    ...(generic.length > 0 && {
      moreColumns: { plus: generic.map((name) => `${name}_type`) },
      imports: { plus: generic.map((name) => `${name}_type`) },
      importColumns: Object.fromEntries(
        generic.map((name) => [name, { to: { typeIn: `${name}_type` }, assigns: name }] as const),
      ),
    }),
    cloned: fields.flatMap(({ row }) => (row.is_cloneable ? enteredNames(row) : [])),
    filters: [
      fieldGroup(
        'Attributes',
        filtered.map(({ row }) => (row.type === 'object' ? `${row.name}_id` : row.name)),
      ),
    ],
    ...(weights.length > 0 && {
      search: { weights: Object.fromEntries(weights), shown: names.slice(0, 4) },
    }),
  }
}

/** For each model that fields refer to: the lists of objects of custom models on the pages of its objects. */
export function overviewsOf(types: readonly CustomModel[]): ReadonlyMap<string, readonly Children[]> {
  const lists = types.flatMap(({ type, fields }) =>
    fields.flatMap(({ row }) => {
      if (row.ui_visible === 'hidden') return []
      const parameter = row.type === 'object' ? `${row.name}_id` : row.name
      return targetsOf(row).map((target) => {
        if (isJoined(row)) {
          return { target, children: { model: type.object_type_name, by: { [listName(row, target)]: 'id' } } }
        }
        const by = { ...(row.is_polymorphic && { [`${row.name}_type`]: `=${target}` }), [parameter]: 'id' }
        return { target, children: { model: type.object_type_name, by } }
      })
    }),
  )
  const byTarget = Map.groupBy(lists, ({ target }) => target)
  return new Map([...byTarget].map(([target, parts]) => [target, parts.map(({ children }) => children)]))
}

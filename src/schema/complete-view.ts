import type { Field } from './field.ts'
import type { Model, Registry } from './registry.ts'
import { SYSTEM } from './system-models.ts'
import {
  type DeclaredView,
  type Difference,
  type FieldGroup,
  fieldGroup,
  isDifference,
  type ModelView,
  titleCase,
} from './view.ts'
import { isWritable } from './writable.ts'

/**
 * The declared view, completed with what follows from the model and its form: groups for its owner, tenant, tags and
 * contacts, the bulk edit form, the columns of imports and exports, headings of columns. A view declares only the rest.
 * Without a declaration, the view derived from the fields.
 */
export function completeView(
  registry: Pick<Registry, 'model'>,
  model: Model,
  declared: DeclaredView | undefined,
): ModelView {
  if (!declared) return defaultView(model)
  const { filters = [], bulkEdit, imports, moreColumns, ...attributes } = declared
  const has = (name: string): boolean => {
    const field = model.fields.get(name)
    return field !== undefined && isWritable(field)
  }
  const form = declared.form && [...declared.form, ...missing(declared.form, FORM, has)]
  const entered = form?.flatMap(({ fields }) => fields)
  const changed = bulkEdit && !isDifference(bulkEdit) ? bulkEdit : changedTogether(model, entered, bulkEdit)
  return Object.freeze({
    ...attributes,
    labels: { ...LABELS, ...labelsOfCounts(registry, model), ...declared.labels },
    ...(form && { form }),
    panels: completePanels(model, declared, form ?? []),
    ...(changed && { bulkEdit: changed.length === 0 ? [] : [...changed, ...missing(changed, BULK_EDIT, has)] }),
    ...((entered ?? imports) && { imports: namesIn(model, imports, importedNames(model, entered ?? [])) }),
    moreColumns: namesIn(model, moreColumns, furtherColumns(model, declared.columns)),
    filters: [...tagFilter(filters, has), ...filters, ...filtersOf(model, filters)],
  })
}

/** The declared names, or the derived ones with the declared difference. Throws an Error if it changes nothing. */
function namesIn(
  model: Model,
  declared: readonly string[] | Difference | undefined,
  derived: readonly string[],
): readonly string[] {
  if (declared === undefined) return derived
  if (!isDifference(declared)) return declared
  const { without = [], plus = [] } = declared
  const idle = [...without.filter((name) => !derived.includes(name)), ...plus.filter((name) => derived.includes(name))]
  if (idle.length > 0) throw new Error(`The view of ${model.name} changes nothing by naming ${idle.join(', ')}`)
  return [...derived.filter((name) => !without.includes(name)), ...plus]
}

/** The fields of the form that many objects can have in common, in one group; others follow from `BULK_EDIT`. */
function changedTogether(
  model: Model,
  entered: readonly string[] | undefined,
  declared: Difference | undefined,
): readonly FieldGroup[] | undefined {
  if (!entered) return undefined
  const common = entered.filter((name) => {
    const field = model.fields.get(name)
    return field && !('unique' in field && field.unique) && !/^(name|slug|tags|owner|comments)$/.test(name)
  })
  return [fieldGroup('', namesIn(model, declared, common))]
}

/** Columns of an import, tags last, by their slugs. Generic relations have columns for their types and ids instead. */
function importedNames({ fields }: Model, entered: readonly string[]): readonly string[] {
  const ofKind = (kind: Field['kind']) => entered.filter((name) => fields.get(name)?.kind === kind)
  const [tags, generic] = [ofKind('tags'), ofKind('genericForeignKey')]
  return [
    ...entered.filter((name) => !tags.includes(name) && !generic.includes(name)),
    ...tags.map((name) => `${name}.slug`),
  ]
}

/** What people enter, with id and times, as far as the list does not show it and a line can hold it. */
function furtherColumns(model: Model, columns: readonly string[]): readonly string[] {
  const names = model.answer.filter((name) => {
    const field = model.fields.get(name)
    const isEntered = field !== undefined && isEdited(name, field) && field.kind !== 'json'
    return (isEntered || SET_BY_SERVICE.has(name)) && !name.endsWith('_unit') && !columns.includes(name)
  })
  const groups = [...(refersToTenant(model) ? ['tenant.group'] : []), ...(isOwned(model) ? ['owner.group'] : [])]
  return [...names, ...groups.filter((path) => !columns.includes(path))]
}

const SET_BY_SERVICE: ReadonlySet<string> = new Set(['id', 'created', 'last_updated'])

/** Objects of custom models may have a field of this name for something else. */
function refersToTenant({ fields }: Model): boolean {
  const field = fields.get('tenant')
  return field?.kind === 'foreignKey' && field.to === SYSTEM.tenant
}

/** Headings of columns that many models have. */
const LABELS = { 'owner.group': 'Owner Group', 'tenant.group': 'Tenant Group' }

/** The heading of a count is the name of the counted objects. */
const labelsOfCounts = (registry: Pick<Registry, 'model'>, { fields }: Model): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...fields].flatMap(([name, field]) =>
      field.kind === 'relatedCount' || field.kind === 'counter'
        ? [[name, titleCase(registry.model(field.of).definition.labels[1])]]
        : [],
    ),
  )

/**
 * Completes the declared panels with the fields that only the form names, so that nobody has to edit an object to read
 * it. They join the panel that has the heading of their group. Other groups become a panel at the end, and a single
 * field becomes a line of the first panel.
 */
function completePanels(
  model: Model,
  { panels, shownElsewhere = [], tables = [], overview = [] }: DeclaredView,
  form: readonly FieldGroup[],
): ModelView['panels'] {
  const [first = []] = panels
  const panelFields = new Set(panels.flat().flatMap(({ fields }) => fields.map((path) => path.split('.')[0])))
  const listed = new Set([...tables, ...overview].map((children) => children.model))
  const isMissing = (name: string): boolean => {
    const field = model.fields.get(name)
    if (!field || !model.answer.includes(name) || panelFields.has(name) || shownElsewhere.includes(name)) return false
    if (ELSEWHERE.test(name) || /^(name|slug|owner|mark_connected)$|_unit$/.test(name)) return false
    return !(field.kind === 'manyToMany' && listed.has(field.to))
  }
  const headings = new Set(panels.flat().map(({ label }) => label))
  const main = first[0]?.label
  const unplaced = form
    .map(({ label, fields }) => fieldGroup(label, fields.filter(isMissing)))
    .filter(({ fields }) => fields.length > 0)
  // A single field needs no panel of its own.
  const headingOf = ({ label, fields }: FieldGroup): string =>
    !headings.has(label) && fields.length === 1 ? (main ?? label) : label || (main ?? '')
  const below = (group: FieldGroup): FieldGroup => {
    const added = unplaced.filter((missing) => headingOf(missing) === group.label)
    return added.length === 0
      ? group
      : fieldGroup(group.label, [...group.fields, ...added.flatMap(({ fields }) => fields)])
  }
  const apart = unplaced.filter((missing) => !headings.has(headingOf(missing)))
  const columns = panels.map((column) => column.map(below))
  return [...columns.slice(0, -1), [...(columns.at(-1) ?? []), ...apart]]
}

const FORM = [fieldGroup('Tenancy', ['tenant']), fieldGroup('', ['tags']), fieldGroup('', ['owner', 'comments'])]

const BULK_EDIT = [fieldGroup('Tenancy', ['tenant']), fieldGroup('More', ['owner', 'comments'])]

/** The fields of the groups that the model has and that no declared group names. */
function missing(
  declared: readonly FieldGroup[],
  groups: readonly FieldGroup[],
  has: (name: string) => boolean,
): readonly FieldGroup[] {
  const grouped = new Set(declared.flatMap(({ fields }) => fields))
  return groups
    .map(({ label, fields }) =>
      fieldGroup(
        label,
        fields.filter((name) => has(name) && !grouped.has(name)),
      ),
    )
    .filter(({ fields }) => fields.length > 0)
}

const tagFilter = (declared: readonly FieldGroup[], has: (name: string) => boolean): readonly FieldGroup[] =>
  missing(declared, [fieldGroup('', ['tag'])], () => has('tags'))

/** Filters by parameters, whose names differ from those of the fields. */
function filtersOf(model: Model, declared: readonly FieldGroup[]): readonly FieldGroup[] {
  const groups = [
    ...(refersToTenant(model) ? [fieldGroup('Tenant', ['tenant_group_id', 'tenant_id'])] : []),
    ...(isOwned(model) ? [fieldGroup('Ownership', ['owner_group_id', 'owner_id'])] : []),
    ...(model.has('contacts') && model.definition.filters?.contact !== null
      ? [fieldGroup('Contacts', ['contact', 'contact_role', 'contact_group'])]
      : []),
  ]
  return missing(declared, groups, () => true)
}

/** Fields that every page shows in a fixed place, or not at all. */
const ELSEWHERE =
  /^(id|url|display|display_url|display_name|tags|custom_fields|comments|created|last_updated)$|_count$|^_/

/** The view of a model that declares none: its fields in their order. */
function defaultView(model: Model): ModelView {
  const fieldNames = model.answer.filter((name) => !ELSEWHERE.test(name))
  const written = [...model.fields].filter(([name, field]) => isEdited(name, field)).map(([name]) => name)
  const [singular] = model.definition.labels
  return {
    model: model.name,
    columns: fieldNames.slice(0, 7),
    panels: [[fieldGroup(`${singular.charAt(0).toUpperCase()}${singular.slice(1)}`, fieldNames)]],
    form: [fieldGroup('', written)],
    bulkEdit: [fieldGroup('', written)],
    imports: importedNames(model, written),
  }
}

const isEdited = (name: string, field: Field): boolean =>
  isWritable(field) && name !== 'custom_fields' && !name.startsWith('_')

/** Whether its objects have owners: groups of users, not a user. */
const isOwned = ({ fields }: Model): boolean => {
  const field = fields.get('owner')
  return field?.kind === 'foreignKey' && field.to === SYSTEM.owner
}

import type { Field } from './field.ts'
import type { Model, Registry } from './registry.ts'
import { SYSTEM } from './system-models.ts'
import { type FieldGroup, fieldGroup, type ModelView, titleCase } from './view.ts'
import { isWritable } from './writable.ts'

/**
 * The declared view, completed with what follows from the model: groups for its owner, tenant, tags and contacts,
 * headings of columns. A view declares only the rest. Without a declaration, the view derived from the fields.
 */
export function completeView(
  registry: Pick<Registry, 'model'>,
  model: Model,
  declared: ModelView | undefined,
): ModelView {
  if (!declared) return defaultView(registry, model)
  const { form, filters = [], bulkEdit, labels } = declared
  const has = (name: string): boolean => {
    const field = model.fields.get(name)
    return field !== undefined && isWritable(field)
  }
  return Object.freeze({
    ...declared,
    labels: { ...LABELS, ...labelsOfCounts(registry, model), ...labels },
    ...(form && { form: [...form, ...missing(form, FORM, has)] }),
    ...(bulkEdit && { bulkEdit: [...bulkEdit, ...missing(bulkEdit, BULK_EDIT, has)] }),
    filters: [...tagFilter(filters, has), ...filters, ...filtersOf(model, filters)],
  })
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

const FORM = [fieldGroup('Tenancy', ['tenant']), fieldGroup('', ['tags']), fieldGroup('', ['owner', 'comments'])]

const BULK_EDIT = [fieldGroup('Tenancy', ['tenant']), fieldGroup('More', ['owner', 'comments'])]

/** The fields of the groups that the model has and that no declared group names. */
function missing(
  declared: readonly FieldGroup[],
  groups: readonly FieldGroup[],
  has: (name: string) => boolean,
): readonly FieldGroup[] {
  const named = new Set(declared.flatMap(({ fields }) => fields))
  return groups
    .map(({ label, fields }) =>
      fieldGroup(
        label,
        fields.filter((name) => has(name) && !named.has(name)),
      ),
    )
    .filter(({ fields }) => fields.length > 0)
}

const tagFilter = (declared: readonly FieldGroup[], has: (name: string) => boolean): readonly FieldGroup[] =>
  missing(declared, [fieldGroup('', ['tag'])], () => has('tags'))

/** Filters by parameters, whose names differ from those of the fields. */
function filtersOf(model: Model, declared: readonly FieldGroup[]): readonly FieldGroup[] {
  const groups = [
    ...(model.fields.has('tenant') ? [fieldGroup('Tenant', ['tenant_group_id', 'tenant_id'])] : []),
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
function defaultView(registry: Pick<Registry, 'model'>, model: Model): ModelView {
  const shown = model.answer.filter((name) => !ELSEWHERE.test(name))
  const written = [...model.fields].filter(([name, field]) => isEdited(name, field)).map(([name]) => name)
  const [singular] = model.definition.labels
  return {
    model: model.name,
    columns: shown.slice(0, 7),
    panels: [[fieldGroup(`${singular.charAt(0).toUpperCase()}${singular.slice(1)}`, shown)]],
    form: [fieldGroup('', written)],
    bulkEdit: [fieldGroup('', written)],
    imports: written.map((name) => importPath(registry, name, model.fields.get(name))),
  }
}

/** A column of an import: related objects are given by their names, tags by their slugs. */
function importPath(registry: Pick<Registry, 'model'>, name: string, field: Field | undefined): string {
  if (field?.kind === 'tags') return `${name}.slug`
  const isRelation = field?.kind === 'foreignKey' || field?.kind === 'manyToMany'
  return isRelation && registry.model(field.to).fields.has('name') ? `${name}.name` : name
}

const isEdited = (name: string, field: Field): boolean =>
  isWritable(field) && name !== 'custom_fields' && !name.startsWith('_')

/** Whether its objects have owners: groups of users, not a user. */
const isOwned = ({ fields }: Model): boolean => {
  const field = fields.get('owner')
  return field?.kind === 'foreignKey' && field.to === SYSTEM.owner
}

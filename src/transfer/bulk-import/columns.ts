import type { CustomFieldDefinition } from '../../schema/custom-value.ts'
import type { Field } from '../../schema/field.ts'
import { genericPart } from '../../schema/generic-keys.ts'
import type { ImportColumn, ImportedComponents } from '../../schema/import-column.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { isWritable } from '../../schema/writable.ts'
import type { Problem } from './records.ts'

/** The meaning of the values of a column. */
export type ColumnSource =
  | { readonly kind: 'id' | 'plain' | 'ignored' }
  | { readonly kind: 'field'; readonly field: Field; readonly narrows?: ImportColumn['narrows'] }
  | { readonly kind: 'customField'; readonly definition: CustomFieldDefinition }
  | { readonly kind: 'extra'; readonly extra: ImportColumn }
  | { readonly kind: 'components'; readonly components: ImportedComponents }

/** A column of a text, with its meaning. */
export interface SourceColumn {
  /** Name in the text. */
  readonly header: string
  /** Name of the field, or of the column of the view. */
  readonly name: string
  /** Attribute by which objects are named: `region.slug`. */
  readonly by: string | undefined
  readonly source: ColumnSource
}

/** A column that an import of the model may have. */
export interface Offered extends Omit<SourceColumn, 'header'> {
  readonly isRequired: boolean
}

/** Everything that decides which columns an import of a model may have. */
interface ColumnContext {
  readonly registry: Registry
  readonly model: Model
  readonly customFields: readonly CustomFieldDefinition[]
}

/** The columns of an import of the model, by name, in the order of the documentation. */
export function offeredColumns({ registry, model, customFields }: ColumnContext): ReadonlyMap<string, Offered> {
  const view = registry.view(model)
  const names = view.imports ?? writableNames(model)
  const required = new Set(view.importRequires)
  const offered = new Map<string, Offered>([['id', offer('id', { kind: 'id' })]])
  for (const path of names) {
    const [name = '', by] = path.split('.')
    const source = sourceOf(model, name, view.importColumns?.[name])
    if (!source) continue
    const key = by ?? defaultKey(registry, source)
    offered.set(name, { name, by: key, source, isRequired: required.has(name) })
  }
  for (const [name, extra] of Object.entries(view.importColumns ?? {})) {
    if (offered.has(name)) continue
    const source: ColumnSource = extra.ignored ? { kind: 'ignored' } : { kind: 'extra', extra }
    offered.set(name, { ...offer(name, source), by: defaultKey(registry, source) })
  }
  for (const [name, components] of Object.entries(view.importComponents ?? {})) {
    offered.set(name, offer(name, { kind: 'components', components }))
  }
  for (const definition of customFields) {
    const name = `cf_${definition.name}`
    offered.set(name, offer(name, { kind: 'customField', definition }))
  }
  offered.set('changelog_message', offer('changelog_message', { kind: 'plain' }))
  return offered
}

const offer = (name: string, source: ColumnSource): Offered => ({
  name,
  by: undefined,
  source,
  isRequired: false,
})

const writableNames = (model: Model): readonly string[] =>
  [...model.fields].filter(([name, field]) => isWritable(field) && name !== 'custom_fields').map(([name]) => name)

function sourceOf(model: Model, name: string, extra: ImportColumn | undefined): ColumnSource | undefined {
  const field = model.fields.get(name)
  const isField = field !== undefined && isWritable(field) && field.kind !== 'genericForeignKey'
  if (isField && (extra === undefined || extra.to === undefined)) {
    return { kind: 'field', field, ...(extra?.narrows && { narrows: extra.narrows }) }
  }
  if (extra) return { kind: 'extra', extra }
  const part = genericPart(model, name)
  return part && part.part !== 'object' ? { kind: 'plain' } : undefined
}

/** The attribute by which a column names objects, unless the view specifies another one. */
function defaultKey(registry: Registry, source: ColumnSource): string | undefined {
  const to = targetOf(registry, source)
  if (to === undefined) return source.kind === 'extra' && source.extra.to ? 'name' : undefined
  return ['name', 'slug', 'model', 'cid'].find((key) => to.columns.has(key)) ?? 'id'
}

/** Model of the objects that a column names, if it is always the same. */
export function targetOf(registry: Registry, source: ColumnSource): Model | undefined {
  if (source.kind === 'field') {
    const { field } = source
    if (field.kind === 'tags') return registry.model(SYSTEM.tag)
    const names = field.kind === 'foreignKey' || field.kind === 'manyToMany'
    return names && field.write !== 'slug' ? registry.model(field.to) : undefined
  }
  if (source.kind !== 'extra') return undefined
  const { to } = source.extra
  return typeof to === 'string' ? registry.model(to) : undefined
}

/** The columns of a header. */
export interface Header {
  readonly columns: readonly SourceColumn[]
  /** Headers to leave out although they are not refused. */
  readonly unknown: readonly string[]
  readonly problems: readonly Problem[]
}

interface HeaderOptions {
  /** Names of columns by header; '' leaves one out. */
  readonly mapping?: Readonly<Record<string, string>> | undefined
  /**
   * Whether unknown headers are left out instead of being refused: YAML and JSON files have keys that only some
   * versions know.
   */
  readonly isLenient: boolean
}

/** The columns of a header, and its problems. */
export function readHeader(
  context: ColumnContext,
  headers: readonly string[],
  { mapping = {}, isLenient }: HeaderOptions,
): Header {
  const offered = offeredColumns(context)
  const problems: Problem[] = []
  const unknown: string[] = []
  const columns = headers.flatMap((header): SourceColumn[] => {
    const columnName = Object.hasOwn(mapping, header) ? (mapping[header] ?? '') : header
    if (columnName === '') {
      if (isLenient) unknown.push(header)
      return []
    }
    const column = columnFor(context.registry, offered, header, columnName)
    if (column === undefined && isLenient) {
      unknown.push(header)
      return []
    }
    if (column === undefined || 'message' in column) {
      const message = column?.message ?? `There is no column ${columnName} here.`
      problems.push({ column: header, message })
      return []
    }
    return column.source.kind === 'ignored' ? [] : [column]
  })
  for (const [index, { name, header }] of columns.entries()) {
    if (columns.findIndex((column) => column.name === name) < index) {
      problems.push({ column: header, message: `Another column is already used for ${name}.` })
    }
  }
  return { columns, unknown, problems }
}

function columnFor(
  registry: Registry,
  offered: ReadonlyMap<string, Offered>,
  header: string,
  columnName: string,
): SourceColumn | { readonly message: string } | undefined {
  const [name = '', by, ...excess] = columnName.split('.')
  const match = offered.get(columnName) ?? offered.get(name)
  if (!match || excess.length > 0) return undefined
  if (by === undefined || offered.has(columnName)) return { ...match, header }
  if (!isKey(registry, match.source, by)) {
    return { message: `Objects in ${name} cannot be identified by ${by}.` }
  }
  return { ...match, header, by }
}

/** Whether a column's objects have the attribute. */
function isKey(registry: Registry, source: ColumnSource, by: string): boolean {
  if (source.kind === 'customField') return source.definition.relatedType !== null
  const to = targetOf(registry, source)
  if (to === undefined) return source.kind === 'extra' && source.extra.to !== undefined
  return by === 'id' || (to.steps.get(by)?.kind === 'column' && !by.startsWith('_'))
}

import { type Offered, offeredColumns, targetOf } from '../../../bulk-import/columns.ts'
import type { OfferedColumn } from '../../../pages/imports/import-form.ts'
import type { Model, Registry } from '../../../schema/registry.ts'
import { isRequired } from '../../../schema/writable.ts'
import { committedCustomFields } from '../../../write/custom-fields.ts'
import type { ApiRequest } from '../../api-request.ts'
import { fieldLabel } from '../field-label.ts'

/** The columns that an import of the model may have, as the page describes them. */
export async function describedColumns(
  { service }: ApiRequest,
  model: Model,
): Promise<readonly (OfferedColumn & { readonly label: string })[]> {
  const { registry } = service
  const customFields = await committedCustomFields(service, model)
  return [...offeredColumns({ registry, model, customFields }).values()].map((offered) => ({
    name: offered.name,
    label: labelOfColumn(registry, model, offered),
    isRequired: isDemanded(offered),
    description: descriptionOf(registry, offered),
  }))
}

const isDemanded = ({ isRequired: isMarked, source }: Offered): boolean =>
  isMarked || (source.kind === 'field' && isRequired(source.field))

const labelOfColumn = (registry: Registry, model: Model, { name, source }: Offered): string =>
  source.kind === 'customField' ? source.definition.name : fieldLabel(registry, model, name)

function descriptionOf(registry: Registry, { name, by, source }: Offered): string {
  if (name === 'id') return 'number of an existing object, to change it'
  if (name === 'changelog_message') return 'text for the change record'
  if (source.kind === 'customField') return `custom field, ${source.definition.type}`
  if (source.kind === 'components') {
    return `list of ${registry.model(source.components.model).definition.labels[1]} (JSON and YAML)`
  }
  const target = targetOf(registry, source)
  if (target) {
    const isOne =
      source.kind === 'extra' || (source.kind === 'field' && source.field.kind === 'foreignKey')
    const [one, several] = target.definition.labels
    return isOne ? `${one} by its ${by}` : `${several} by their ${by}, separated by commas`
  }
  if (source.kind !== 'field')
    return source.kind === 'extra' && source.extra.to ? 'object by its name' : ''
  return valueDescription(source.field)
}

function valueDescription(field: Extract<Offered['source'], { kind: 'field' }>['field']): string {
  if (field.kind === 'choice') {
    const labels = field.choices.list.map(({ value }) => value)
    return labels.length > 12 ? `${labels.slice(0, 12).join(', ')}, …` : labels.join(', ')
  }
  if (field.kind === 'boolean') return 'true or false'
  const help = 'help' in field ? field.help : undefined
  return help ?? ''
}

/** The column that a header probably means: the same words as its name or its label; '' for none. */
export function suggestedColumn(
  offered: readonly (OfferedColumn & { readonly label: string })[],
  header: string,
): string {
  const words = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '')
  const wanted = words(header)
  return (
    offered.find(({ name }) => words(name) === wanted)?.name ??
    offered.find(({ label }) => words(label) === wanted)?.name ??
    ''
  )
}

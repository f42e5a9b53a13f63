import type { ApiRequest } from '../../api/api-request.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { isSecret } from '../../schema/writable.ts'
import { columnLabel } from '../components/field-label.ts'
import { CUSTOM_FIELD } from '../data/page-objects.ts'
import { customFieldControls } from '../forms/fields/custom-field-controls.ts'
import { type Text, translate } from '../texts/translate.ts'

/** Fields that show what a cable connects: the first that a model has is a column of its list. */
const CONNECTIONS = ['connected_endpoints', 'link_peers'] as const

/** The columns of a list for users who have not chosen any. */
export function defaultColumns(registry: Registry, model: Model): readonly string[] {
  const columns = registry.view(model).columns.filter((name) => !isSecret(model.fields.get(name)))
  const connection = CONNECTIONS.find((name) => model.answer.includes(name))
  if (connection === undefined || columns.includes(connection)) return columns
  const withoutDescription = columns.filter((name) => name !== 'description')
  return [...withoutDescription, connection, ...(withoutDescription.length < columns.length ? ['description'] : [])]
}

/**
 * Those of the chosen columns that the list can show. The reference's tables have some columns under the last name of a
 * path: `manufacturer` for `device_type.manufacturer`.
 */
export function usableColumns(registry: Registry, model: Model, names: readonly string[]): readonly string[] {
  const declared = declaredColumns(registry, model)
  const usable = names.flatMap((name) => {
    if (declared.includes(name) || isColumn(model, name)) return [name]
    return declared.find((path) => path.endsWith(`.${name}`)) ?? []
  })
  return [...new Set(usable)]
}

function declaredColumns(registry: Registry, model: Model): readonly string[] {
  const { moreColumns = [] } = registry.view(model)
  const more = moreColumns.filter((name) => !isSecret(model.fields.get(name)))
  return [...defaultColumns(registry, model), ...more]
}

const isColumn = (model: Model, name: string): boolean =>
  listedFields(model).includes(name) || (name.startsWith(CUSTOM_FIELD) && model.fields.has('custom_fields'))

/** Fields of the response that are useless in a list: URLs of the object itself, and documents. */
const NO_COLUMNS: ReadonlySet<string> = new Set(['url', 'display', 'display_url', 'custom_fields'])

/** Fields of the model that a list can show: secrets are only on the pages of objects. */
export const listedFields = (model: Model): readonly string[] =>
  model.answer.filter((name) => !NO_COLUMNS.has(name) && !isSecret(model.fields.get(name)))

/** Headings that say more than the name of the field. */
const HEADINGS: Readonly<Record<string, Text>> = {
  connected_endpoints: 'Connected to',
  link_peers: 'Cabled to',
  a_terminations: 'A end',
  b_terminations: 'B end',
  display: 'Name',
}

/** The headings of columns, including those of custom fields. */
export async function columnLabels(
  request: ApiRequest,
  model: Model,
  columns: readonly string[],
): Promise<readonly string[]> {
  const custom = columns.some((name) => name.startsWith(CUSTOM_FIELD))
    ? new Map((await customColumns(request, model)).map(({ name, label }) => [name, label]))
    : undefined
  const { registry } = request.service
  const { labels = {} } = registry.view(model)
  const headingOf = (name: string): string | undefined => {
    const heading = HEADINGS[name]
    return heading && translate(heading)
  }
  return columns.map(
    (name) =>
      custom?.get(name) ??
      (labels[name] === undefined ? headingOf(name) : undefined) ??
      columnLabel(registry, model, name),
  )
}

/** A column that a list can show. */
export interface ListColumn {
  readonly name: string
  readonly label: string
}

/** The columns of the model's custom fields. */
export const customColumns = async ({ service }: ApiRequest, model: Model): Promise<readonly ListColumn[]> =>
  (await customFieldControls(service, model, undefined)).map(({ name, label }) => ({
    name: name.replace('custom_fields.', CUSTOM_FIELD),
    label,
  }))

/** All columns that the list can show: those of its view, further fields, custom fields. */
export async function selectableColumns(request: ApiRequest, model: Model): Promise<readonly ListColumn[]> {
  const { registry } = request.service
  const names = [...new Set([...declaredColumns(registry, model), ...listedFields(model)])]
  const labels = await columnLabels(request, model, names)
  const fields = names.map((name, index) => ({ name, label: labels[index] ?? name }))
  return [...fields, ...(await customColumns(request, model))]
}

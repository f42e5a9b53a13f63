import type { ApiRequest } from '../../api/api-request.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { isRequired } from '../../schema/writable.ts'
import { type Offered, offeredColumns, targetOf } from '../../transfer/bulk-import/columns.ts'
import { committedCustomFields } from '../../write/validate/custom-fields.ts'
import { fieldLabel } from '../components/field-label.ts'
import { currentLanguage, ENGLISH, inLanguage } from '../texts/language.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import type { OfferedColumn } from './import-form.ts'

/** The columns that an import of the model may have, by name. */
export async function importColumns({ service }: ApiRequest, model: Model): Promise<ReadonlyMap<string, Offered>> {
  const customFields = await committedCustomFields(service, model)
  return offeredColumns({ registry: service.registry, model, customFields })
}

/** A column as the page describes it. */
interface DescribedColumn extends OfferedColumn {
  readonly labels: readonly string[]
}

/** The columns that an import of the model may have, as the page describes them. */
export async function describedColumns(request: ApiRequest, model: Model): Promise<readonly DescribedColumn[]> {
  const { registry } = request.service
  return [...(await importColumns(request, model)).values()].map((offered) => ({
    name: offered.name,
    // Exports are in English, whatever the language of the page.
    labels: ([ENGLISH, currentLanguage()] as const).map((language) =>
      inLanguage(language, () => labelOfColumn(registry, model, offered)),
    ),
    // As in forms, a slug follows from the name.
    isRequired: offered.name !== 'slug' && isDemanded(offered),
    description: offered.name === 'slug' ? translate('Filled in from the name.') : descriptionOf(registry, offered),
    isForNewRows: !NOT_FOR_NEW_ROWS.has(offered.source.kind),
  }))
}

/** The id names an existing object, and CSV cannot list components. */
const NOT_FOR_NEW_ROWS: ReadonlySet<Offered['source']['kind']> = new Set(['id', 'ignored', 'components'])

const isDemanded = ({ isRequired: isMarked, source }: Offered): boolean =>
  isMarked || (source.kind === 'field' && isRequired(source.field))

const labelOfColumn = (registry: Registry, model: Model, { name, source }: Offered): string =>
  source.kind === 'customField' ? source.definition.name : fieldLabel(registry, model, name)

function descriptionOf(registry: Registry, { name, by, source }: Offered): string {
  if (name === 'id') return translate('id of an existing object, to change it')
  if (name === 'changelog_message') return translate('text for the change record')
  if (source.kind === 'customField') return translate('custom field, {type}', { type: source.definition.type })
  if (source.kind === 'components') {
    const objects = translateLabel(registry.model(source.components.model).definition.labels[1])
    return translate('list of {objects} (JSON and YAML)', { objects })
  }
  const target = targetOf(registry, source)
  if (target) {
    const isOne = source.kind === 'extra' || (source.kind === 'field' && source.field.kind === 'foreignKey')
    const [singular, plural] = target.definition.labels
    return isOne
      ? translate('{model} by its {field}', { model: translateLabel(singular), field: by ?? 'id' })
      : translate('{models} by their {field}, separated by commas', {
          models: translateLabel(plural),
          field: by ?? 'id',
        })
  }
  if (source.kind !== 'field') return source.kind === 'extra' && source.extra.to ? translate('object by its name') : ''
  return valueDescription(source.field)
}

function valueDescription(field: Extract<Offered['source'], { kind: 'field' }>['field']): string {
  if (field.kind === 'choice') {
    const labels = field.choices.list.map(({ value }) => value)
    return labels.length > 12 ? `${labels.slice(0, 12).join(', ')}, …` : labels.join(', ')
  }
  if (field.kind === 'boolean') return translate('true or false')
  const help = 'help' in field ? field.help : undefined
  return help ?? ''
}

/** The column that a header probably means: the same words as its name or its label; '' for none. */
export function suggestedColumn(offered: readonly DescribedColumn[], header: string): string {
  const words = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '')
  const headerWords = words(header)
  return (
    offered.find(({ name }) => words(name) === headerWords)?.name ??
    offered.find(({ labels }) => labels.some((label) => words(label) === headerWords))?.name ??
    ''
  )
}

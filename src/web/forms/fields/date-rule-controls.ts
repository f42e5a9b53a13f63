import type { ApiRequest } from '../../../api/api-request.ts'
import { definedCustomFields } from '../../../read/query/custom-field-parameters.ts'
import { dateValueOf, isCustomDate } from '../../../read/query/date-fields.ts'
import type { Model } from '../../../schema/registry.ts'
import type { Control, Option } from '../../components/control.ts'
import { fieldLabel } from '../../components/field-label.ts'
import { humanize } from '../../components/humanize.ts'
import { translate } from '../../texts/translate.ts'
import { shownTexts } from '../form-texts.ts'

/** The event with which a rule has a date. */
const DATE_REACHED = 'date_reached'

/** The controls of a rule about dates, in the order in which they are read: `60 days before Ends`. */
export async function dateRuleControls(
  request: ApiRequest,
  { offset, field }: { readonly offset: Control; readonly field: Control },
  textsOf: (name: string) => readonly string[],
): Promise<{ readonly offset: Control; readonly field: Control }> {
  if (offset.input.kind !== 'text') return { offset, field }
  const [amount = '', direction = Number(amount) > 0 ? 'after' : 'before'] = textsOf('date_offset')
  const stored = textsOf('date_field').at(-1) ?? ''
  const isAboutDates = textsOf('event_types').includes(DATE_REACHED)
  const options = await dateFields(request, textsOf('object_types'))
  const known = options.some(({ value }) => value === stored) || stored === ''
  return {
    offset: {
      ...offset,
      help: undefined,
      direction: direction === 'after' ? 'after' : 'before',
      sentAs: 'offset',
      input: { ...offset.input, value: amount.replace(/^-/, ''), limits: { ...offset.input.limits, min: '0' } },
    },
    field: {
      ...field,
      help: undefined,
      dependsOn: ['object_types', 'event_types'],
      lookup: {
        name: 'date_offset',
        options: [
          { value: 'before', label: translate('before') },
          { value: 'after', label: translate('after') },
        ],
        chosen: direction,
      },
      input: {
        kind: 'select',
        options: known ? options : [...options, { value: stored, label: stored }],
        // A rule about other events has no date.
        chosen: isAboutDates ? shownTexts(field) : [],
        empty: translate('Choose a date'),
      },
    },
  }
}

/** The dates and timestamps that objects of all these types have. */
async function dateFields({ service }: ApiRequest, types: readonly string[]): Promise<readonly Option[]> {
  const { registry, database } = service
  const models = types.flatMap((name) => registry.models.get(name) ?? [])
  const [first, ...others] = models
  if (!first) return []
  const custom = await definedCustomFields(database)
  const has = (model: Model, name: string): boolean => dateValueOf(model, name, custom) !== undefined
  const names = [...first.fields.keys(), ...custom.map(({ name }) => `cf_${name}`)]
  return names
    .filter((name) => has(first, name) && others.every((model) => has(model, name)))
    .map((value) => ({
      value,
      label: isCustomDate(value) ? humanize(value.replace(/^cf_/, '')) : fieldLabel(registry, first, value),
    }))
}

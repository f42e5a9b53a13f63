import type { Parameter } from '../../../read/query/parameters.ts'
import type { Registry } from '../../../schema/registry.ts'
import type { InputControl, Option } from '../../components/control.ts'
import { translate } from '../../texts/translate.ts'
import { optionsOf, typeOptions, yesOrNoOptions } from './form-entry.ts'

/**
 * Form control for the values of a filter: a list for choices, a search for related objects, otherwise a text field.
 */
export function filterInput(registry: Registry, parameter: Parameter, values: readonly string[]): InputControl {
  const { filter, multiple } = parameter
  const any = translate('Any')
  const yesOrNo: InputControl = {
    kind: 'select',
    options: yesOrNoOptions(),
    chosen: values,
    empty: any,
  }
  const text: InputControl = { kind: 'text', type: 'text', value: values.join(',') }
  if (parameter.lookup === 'empty') return yesOrNo
  const pick = (options: readonly Option[]): InputControl =>
    multiple
      ? { kind: 'choices', options, chosen: values, empty: any }
      : { kind: 'select', options, chosen: values, empty: any }
  const objects = (to: string, key: string): InputControl => {
    const { path, answer } = registry.model(to)
    if (path === '' || !answer.includes(key)) return text
    const chosen = values.map((value) => ({ value }))
    return { kind: 'objects', collection: `/api/${path}/`, key, isMultiple: multiple, chosen }
  }
  switch (filter.kind) {
    case 'boolean':
    case 'presence':
      return yesOrNo
    case 'choice':
      return parameter.lookup === 'exact' || parameter.lookup === 'n' ? pick(optionsOf(filter.choices)) : text
    case 'related':
    case 'tag':
      return objects(filter.to, filter.by)
    case 'objectType':
      return filter.byId || parameter.base.endsWith('_id') ? text : pick(typeOptions(registry.models.values()))
    case 'date':
      return values.length < 2 ? { kind: 'text', type: 'date', value: values.join(',') } : text
    case 'dateTime':
      return timeInput(values) ?? text
    case 'custom':
      if (filter.choices) return pick(optionsOf(filter.choices))
      if (filter.value === 'boolean') return yesOrNo
      return filter.to === undefined ? text : objects(filter.to, filter.by ?? 'id')
    default:
      return text
  }
}

/** A picker of a time in UTC; undefined for values that it cannot show, such as several or those with another offset. */
function timeInput([value = '', ...others]: readonly string[]): InputControl | undefined {
  const parts = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?Z?)?$/.exec(value.trim())
  if (others.length > 0 || (value !== '' && !parts)) return undefined
  const shown = parts ? `${parts[1]}T${parts[2] ?? '00:00'}` : ''
  return { kind: 'text', type: 'datetime-local', value: shown }
}

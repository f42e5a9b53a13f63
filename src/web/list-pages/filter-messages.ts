import type { ApiRequest } from '../../api/api-request.ts'
import type { Messages } from '../../base/errors.ts'
import { parametersOf } from '../../read/query/parameters.ts'
import type { Model } from '../../schema/registry.ts'
import { parameterLabel } from '../forms/fields/filter-controls.ts'
import { translate, translateLabel } from '../texts/translate.ts'

/** Values that a message names. */
const MOST_VALUES = 20

/** What a filter accepts: these values, or the ids of objects. */
interface Accepted {
  readonly values: readonly string[] | undefined
  readonly isId: boolean
}

/** Why filters are refused, by filter, in sentences that name the filter and the values that it accepts. */
export function filterMessages({ service }: ApiRequest, model: Model, messages: Messages): Messages {
  if (typeof messages === 'string' || Array.isArray(messages)) return messages
  const parameters = parametersOf(service.registry, model)
  return Object.fromEntries(
    Object.entries(messages).map(([name, texts]) => {
      const parameter = parameters.get(name)
      const field = parameter ? parameterLabel(parameter) : name
      const filter = parameter?.filter
      const accepted: Accepted = {
        values: filter?.kind === 'choice' ? filter.choices.list.map(({ label }) => translateLabel(label)) : undefined,
        isId: filter?.kind === 'related' && filter.by === 'id',
      }
      return [name, textsIn(texts).map((text) => sentence(field, text, accepted))]
    }),
  )
}

function sentence(field: string, text: string, { values, isId }: Accepted): string {
  const [, value] = /^Select a valid choice\. (.*) is not one of the available choices\.$/s.exec(text) ?? []
  if (value === undefined) return `${field}: ${text}`
  if (!values) {
    return isId
      ? translate('{field}: there is none with the id {value}.', { field, value })
      : translate('{field}: nothing is called “{value}”.', { field, value })
  }
  const listed = values.length > MOST_VALUES ? [...values.slice(0, MOST_VALUES), '…'] : values
  return translate('{field}: “{value}” is not a valid value. Choose: {values}.', {
    field,
    value,
    values: listed.join(', '),
  })
}

const textsIn = (messages: Messages): readonly string[] =>
  typeof messages === 'string' ? [messages] : Object.values(messages).flatMap(textsIn)

import { invalid, notFound } from '../../base/errors.ts'
import { objectHistory } from '../../changes/records/object-history.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { className } from '../../schema/class-name.ts'
import type { Definition } from '../../schema/model.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { isLogged } from '../../write/record/snapshot.ts'
import type { ApiRequest } from '../api-request.ts'
import type { HttpResponse } from '../response.ts'
import { type Action, action, schema } from './action.ts'
import { listResponse, PAGE_PARAMETERS, pageOf } from './list-response.ts'

/** GET …/history/ of every model with change records: the changes of one object, even of a deleted one. */
export const historyActions = (definitions: readonly Definition[]): readonly Action[] =>
  definitions
    .filter(({ features, path }) => features?.includes('changeLogging') && path !== undefined)
    .map((definition) => historyOf(definition))

const historyOf = ({ name, path, labels: [label] }: Definition): Action =>
  action({
    path: `${path}/:id/history`,
    title: label.replace(/(^| )\p{L}/gu, (initial) => initial.toUpperCase()),
    description: 'The changes of an object, latest first, with the fields that differ. Deleted objects are included.',
    methods: {
      GET: {
        permission: { view: SYSTEM.objectChange },
        summary: `Read the changes of one ${label}`,
        parameters: [
          {
            in: 'query',
            name: 'field',
            description: 'Only changes of this field; the first one set its current value',
            schema: { type: 'string' },
          },
          ...PAGE_PARAMETERS,
        ],
        answer: pageOf(schema('ChangeSummary')),
        verb: 'list',
        handle: (request) => readHistory(request, name),
      },
    },
  })

async function readHistory(request: ApiRequest, name: string): Promise<HttpResponse> {
  const { service, actor, search, parameters, base } = request
  const model = service.registry.model(name)
  const [text = ''] = parameters
  if (!/^\d{1,15}$/.test(text)) throw notFound(className(model))
  const field = lastValue(search, 'field')
  if (field !== undefined && !fieldsOf(model).includes(field)) {
    throw invalid({ field: [`The change records of this model have no field ${field}.`] })
  }
  const summaries = await objectHistory(service, actor, model, { id: Number(text), field, base })
  return listResponse(request, summaries, (change) => JSON.stringify(change))
}

/** Names of the fields in the model's change records. */
const fieldsOf = (model: Model): readonly string[] => [
  ...[...model.columns.values()].filter(isLogged).map(({ key }) => key),
  ...[...model.fields].flatMap(([name, field]) => {
    if (field.kind === 'tags') return ['tags']
    if (field.kind === 'manyToMany') return field.inverse === undefined ? [name] : []
    return field.kind === 'computed' && field.recorded ? [name] : []
  }),
]

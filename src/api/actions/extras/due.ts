import { type DueObject, dueObjects } from '../../../automation/event-rules/due-objects.ts'
import { rowSecurityOf } from '../../../identity/permitted-rows.ts'
import { lastValue } from '../../../read/query/last-value.ts'
import { parseBoolean } from '../../../read/query/parse-value.ts'
import { sliceLinks } from '../../../read/query/slice-links.ts'
import { parseWindow } from '../../../read/query/window.ts'
import { projectionOf } from '../../../read/serialise/projection.ts'
import { readInOrder } from '../../../read/serialise/read-objects.ts'
import { committedData } from '../../../read/serialise/read-source.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import type { ApiRequest } from '../../api-request.ts'
import { okResponse } from '../../response.ts'
import { ANY_OBJECT, action, queryParameter } from '../action.ts'
import { PAGE_PARAMETERS, pageOf } from '../list-response.ts'
import { findTarget } from '../target.ts'

/** JSON texts of the objects in their brief form, by type and id. */
async function briefTexts(
  { service, base }: ApiRequest,
  objects: readonly DueObject[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const [type, list] of Map.groupBy(objects, (object) => object.type)) {
    const ids = list.map(({ id }) => id)
    const projection = projectionOf(service, service.registry.model(type), { brief: true, excludeContext: true })
    for (const json of await readInOrder(committedData(service), ids, projection, base)) {
      const text = json.toString()
      texts.set(`${type} ${(JSON.parse(text) as { id: number }).id}`, text)
    }
  }
  return texts
}

/** GET /api/extras/event-rules/<id>/due/: objects on whose dates the rule will act, or has acted. */
export const dueAction = action({
  path: 'extras/event-rules/:id/due',
  title: 'Due Objects',
  hasNoHistory: true,
  methods: {
    GET: {
      permission: { view: SYSTEM.eventRule },
      answer: pageOf(ANY_OBJECT),
      verb: 'list',
      summary: 'List the objects on whose dates an event rule will act, or has acted.',
      parameters: [...PAGE_PARAMETERS, queryParameter('acted', 'Whether the rule has acted', { type: 'boolean' })],
      handle: async (request) => {
        const { service, actor, search, url } = request
        const { id } = await findTarget(request, SYSTEM.eventRule)
        const only = new URLSearchParams([...search].filter(([name]) => name === 'limit' || name === 'offset'))
        const window = parseWindow(only, service.settings)
        const security = rowSecurityOf(actor, service.registry, service.settings)
        const acted = parseBoolean(lastValue(search, 'acted') ?? '')
        const { limit, offset } = window
        const { count, objects } = await dueObjects(service, security, id, { acted, limit, offset })
        const texts = await briefTexts(request, objects)
        const results = objects.map((object) => {
          const { type, id: objectId, field, date, due, acted: time } = object
          const head = JSON.stringify({ object_type: type, object_id: objectId }).slice(0, -1)
          const tail = JSON.stringify({ field, date, due, acted: time }).slice(1)
          return `${head},"object":${texts.get(`${type} ${objectId}`) ?? 'null'},${tail}`
        })
        const { next, previous } = sliceLinks(url, window, { count, length: objects.length })
        return okResponse(
          `{"count":${count},"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},"results":[${results.join()}]}`,
        )
      },
    },
  },
})

import { changeCounts } from '../../../changes/records/change-counts.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import type { ApiRequest } from '../../api-request.ts'
import type { HttpResponse } from '../../response.ts'
import { action, schema } from '../action.ts'
import { listResponse, PAGE_PARAMETERS, pageOf } from '../list-response.ts'

const OF_PAGES: ReadonlySet<string> = new Set(PAGE_PARAMETERS.map(({ name }) => name))

async function readCounts(request: ApiRequest): Promise<HttpResponse> {
  const filters = new URLSearchParams([...request.search].filter(([name]) => !OF_PAGES.has(name)))
  const counts = await changeCounts(request.service, request.actor, filters)
  return listResponse(request, counts, (entry) => JSON.stringify(entry))
}

/** GET: numbers of changes by day and user, with the filters of the list of change records. */
export const changeCountsAction = action({
  path: 'core/object-changes/counts',
  title: 'Change Counts',
  description: 'Numbers of changes by day (UTC) and user. Accepts the filters of the list.',
  methods: {
    GET: {
      permission: { view: SYSTEM.objectChange },
      summary: 'Count changes by day and user',
      parameters: PAGE_PARAMETERS,
      answer: pageOf(schema('ChangeCount')),
      verb: 'list',
      handle: readCounts,
    },
  },
  schemas: {
    ChangeCount: {
      type: 'object',
      required: ['day', 'user_name', 'count', 'created', 'updated', 'deleted'],
      properties: {
        day: { type: 'string', format: 'date' },
        user_id: { type: 'integer', format: 'int64', nullable: true },
        user_name: { type: 'string' },
        count: { type: 'integer' },
        created: { type: 'integer' },
        updated: { type: 'integer' },
        deleted: { type: 'integer' },
      },
    },
  },
})

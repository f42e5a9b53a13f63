import { circuitTermination } from '../../../models/circuits/circuit-termination.ts'
import { virtualCircuitTermination } from '../../../models/circuits/virtual-circuit-termination.ts'
import { frontPort, rearPort } from '../../../models/dcim/components.ts'
import type { Definition } from '../../../schema/model.ts'
import { sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import type { ApiRequest } from '../../api-request.ts'
import { okResponse } from '../../response.ts'
import { type Action, listOf } from '../action.ts'
import { findTarget } from '../target.ts'
import { nodeTexts } from './path-nodes.ts'

/** Models that can be in the middle of a path. */
const PASSED = [frontPort, rearPort, circuitTermination, virtualCircuitTermination] as readonly Definition[]

/** GET …/paths/: all paths that pass through the object. */
export const pathsActions: readonly Action[] = PASSED.map(({ name, path = '', labels }) => ({
  path: `${path}/:id/paths`,
  title: labels[0].replace(/(^| )\p{L}/gu, (initial) => initial.toUpperCase()),
  description: 'Return all CablePaths which traverse a given pass-through port.',
  methods: {
    GET: {
      permission: { view: name },
      answer: listOf({
        type: 'object',
        properties: {
          id: { type: 'integer' },
          path: listOf(listOf({ type: 'object', additionalProperties: {} })),
          is_active: { type: 'boolean' },
          is_complete: { type: 'boolean' },
          is_split: { type: 'boolean' },
        },
      }),
      verb: 'retrieve',
      handle: (request) => paths(request, name),
    },
  },
}))

async function paths(request: ApiRequest, type: string) {
  const { service } = request
  const { id } = await findTarget(request, type)
  const rows = await service.database.query<{
    id: number
    path: string
    active: boolean
    complete: boolean
    split: boolean
  }>(sql`
    select id, path, is_active as active, is_complete as complete, is_split as split
    from ${table('dcim.cablepath')} where _nodes && array[${`${type}:${id}`}::text] order by id`)
  const steps = rows.map(({ path }) => JSON.parse(path) as readonly (readonly string[])[])
  const texts = await nodeTexts(request, steps.flat(2))
  const items = rows.map((row, index) => {
    const path = pathText(steps[index] ?? [], texts)
    return `{"id":${row.id},"path":${path},"is_active":${row.active},"is_complete":${row.complete},"is_split":${row.split}}`
  })
  return okResponse(`[${items.join()}]`)
}

/** JSON text of a path; `[]` if one of its nodes is deleted or hidden from the user. */
function pathText(steps: readonly (readonly string[])[], texts: ReadonlyMap<string, string>): string {
  if (steps.some((step) => step.some((node) => !texts.has(node)))) return '[]'
  return `[${steps.map((step) => `[${step.map((node) => texts.get(node)).join()}]`).join()}]`
}

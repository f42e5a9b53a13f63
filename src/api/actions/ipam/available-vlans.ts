import { currentTimestamp } from '../../../base/clock.ts'
import { invalid } from '../../../base/errors.ts'
import { sql } from '../../../sql/fragment.ts'
import type { Queryable } from '../../../sql/queryable.ts'
import { table } from '../../../sql/table.ts'
import { errorMessagesOf } from '../../../write/draft.ts'
import { parseBody } from '../../../write/parse/body.ts'
import type { ApiRequest } from '../../api-request.ts'
import { nullable } from '../../openapi/value-schema.ts'
import { listOf, schema } from '../action.ts'
import { exhausted, withValues } from '../allocate.ts'
import { limitOf } from '../limit.ts'
import { nestedText } from '../nested.ts'
import { findTarget } from '../target.ts'
import { availableAction } from './available-action.ts'

/** The lowest numbers of the group's ranges that no VLAN of the group uses. */
async function freeVids(queryable: Queryable, group: number, count: number): Promise<number[]> {
  const rows = await queryable.query<{ vid: number }>(sql`
    select distinct vid
    from ${table('ipam.vlangroup')} g, unnest(g.vid_ranges) r, generate_series(lower(r), upper(r) - 1) vid
    where g.id = ${group}::bigint
      and not exists (select from ${table('ipam.vlan')} v where v.group_id = g.id and v.vid = vid.vid)
    order by vid limit ${count}`)
  return rows.map(({ vid }) => vid)
}

/**
 * Throws `invalid` for values that do not fit their fields, always with a list; checked before the search for free
 * numbers.
 */
function refuseBadFields({ service }: ApiRequest, bodies: readonly unknown[], group: number) {
  const model = service.registry.model('ipam.vlan')
  const messages = bodies.map((body) =>
    errorMessagesOf(
      parseBody(service.registry, model, {
        body: withValues(body, { vid: 1, group }),
        mode: 'create',
        previous: undefined,
        defaults: { now: currentTimestamp(service.clock), user: null },
      }),
    ),
  )
  if (messages.some((errors) => errors !== undefined)) throw invalid(messages.map((errors) => errors ?? {}))
}

/** Free numbers of a VLAN group. */
export const availableVlans = availableAction<{ readonly id: number }>({
  path: 'ipam/vlan-groups/:id/available-vlans',
  title: 'VLAN',
  parent: 'ipam.vlangroup',
  creates: 'ipam.vlan',
  // NetBox does not count related objects of new ones.
  omit: ['prefix_count'],
  schemaNames: { entry: 'AvailableVLAN', body: 'CreateAvailableVLANRequest', created: 'VLAN' },
  find: (request, queryable) => findTarget(request, 'ipam.vlangroup', { queryable }),
  list: async (request, { id }) => {
    const vids = await freeVids(request.service.database, id, limitOf(request))
    const group = await nestedText(request, 'ipam.vlangroup', id)
    return vids.map((vid) => `{"vid":${vid},"group":${group}}`)
  },
  complete: async (bodies, { id }, queryable, request) => {
    refuseBadFields(request, bodies, id)
    const vids = await freeVids(queryable, id, bodies.length)
    return bodies.map((body, index) => {
      const vid = vids[index]
      if (vid === undefined) throw exhausted()
      return withValues(body, { vid, group: id })
    })
  },
  schemas: {
    AvailableVLAN: {
      type: 'object',
      properties: {
        vid: { type: 'integer', readOnly: true },
        group: { ...nullable(schema('BriefVLANGroup')), readOnly: true },
      },
      required: ['group', 'vid'],
    },
    CreateAvailableVLANRequest: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 64 },
        site: idOrObject('BriefSiteRequest'),
        tenant: idOrObject('BriefTenantRequest'),
        status: { type: 'string', enum: ['active', 'reserved', 'deprecated'] },
        role: idOrObject('BriefRoleRequest'),
        description: { type: 'string', maxLength: 200 },
        tags: listOf(schema('NestedTagRequest')),
        custom_fields: { type: 'object', additionalProperties: {} },
      },
      required: ['name'],
    },
  },
})

function idOrObject(name: string) {
  return {
    oneOf: [{ type: 'integer' }, nullable(schema(name))],
  }
}

import { ApiError, notFound } from '../../../base/errors.ts'
import { permittedRows } from '../../../identity/permitted-rows.ts'
import { lastValue } from '../../../read/query/last-value.ts'
import { andIn } from '../../../read/query/row-predicate.ts'
import { committedData } from '../../../read/serialise/read-source.ts'
import { type Sql, sql } from '../../../sql/fragment.ts'
import type { Row } from '../../../sql/queryable.ts'
import { table } from '../../../sql/table.ts'
import type { ApiRequest } from '../../api-request.ts'
import { visibleTo } from '../../verbs/fields.ts'
import { action, schema } from '../action.ts'
import { objectResponse } from '../object-response.ts'

const name = (parameter: string) => ({
  in: 'query',
  name: parameter,
  required: true,
  schema: { type: 'string' },
})

/**
 * GET /api/dcim/connected-device/: the device connected to an interface of another one. For devices without a
 * configuration that learn their neighbours from a discovery protocol.
 */
export const connectedDevice = action({
  path: 'dcim/connected-device',
  title: 'Connected Device Locator',
  description:
    'The device that is connected to the interface `peer_interface` of the device `peer_device`, both given by name.',
  methods: {
    GET: {
      permission: 'user',
      parameters: [name('peer_device'), name('peer_interface')],
      answer: schema('Device'),
      verb: 'list',
      handle: locate,
    },
  },
})

async function locate(request: ApiRequest) {
  const { service, search, base } = request
  const deviceName = lastValue(search, 'peer_device')
  const interfaceName = lastValue(search, 'peer_interface')
  if (!deviceName || !interfaceName) {
    throw new ApiError({
      kind: 'malformed',
      detail: 'Request must include "peer_device" and "peer_interface" filters.',
    })
  }
  const peers = await visible<{ id: number }>(request, 'dcim.device', {
    columns: sql`t.id`,
    condition: sql`t.name collate "C" = ${deviceName}`,
  })
  if (peers.length === 0) throw notFound('Device')
  const interfaces = await visible<{ last: string | null }>(request, 'dcim.interface', {
    columns: sql`(
      select p.path ->> -1 from ${table('dcim.cablepath')} p where p.id = t._path_id and p.is_complete
    ) as last`,
    condition: sql`t.device_id = any(${peers.map(({ id }) => id)}::bigint[])
      and t.name collate "C" = ${interfaceName}`,
  })
  const [peer] = interfaces
  if (!peer) throw notFound('Interface')
  // Names are unique only within a site and tenant.
  if (interfaces.length > 1) {
    const detail = `Several devices ${deviceName} have an interface ${interfaceName}.`
    throw new ApiError({ kind: 'malformed', detail })
  }
  const [end] = JSON.parse(peer.last ?? '[]') as string[]
  if (!end?.startsWith('dcim.interface:')) throw new ApiError({ kind: 'notFound', detail: 'Not found.' })
  const [device] = await visible<{ id: number }>(request, 'dcim.device', {
    columns: sql`t.id`,
    condition: sql`t.id = (
      select i.device_id from ${table('dcim.interface')} i where i.id = ${Number(end.split(':')[1])}::bigint)`,
  })
  if (!device) throw notFound('Device')
  return await objectResponse(committedData(service), {
    ...{ model: 'dcim.device', id: device.id, base },
    ...visibleTo(request, service.registry.model('dcim.device')),
    // As in NetBox.
    excludeContext: true,
  })
}

/** Rows that the user may view. */
async function visible<T extends Row>(
  { service, actor }: ApiRequest,
  modelName: string,
  { columns, condition }: { readonly columns: Sql; readonly condition: Sql },
): Promise<readonly T[]> {
  const model = service.registry.model(modelName)
  const permitted = permittedRows(actor, 'view', model, service.settings)
  return await service.database.query<T>(
    sql`select ${columns} from ${table(model)} t where ${condition}${andIn(permitted)} order by t.id`,
  )
}

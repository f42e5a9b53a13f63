import type { PageQuery } from '../../schema/computed.ts'
import { computed } from '../../schema/field.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

const DEVICE = ['id', 'url', 'display_url', 'display', 'name'] as const
const BAY = ['id', 'url', 'display_url', 'display', ['device', DEVICE], 'name'] as const

const NAMED = {
  id: { type: 'integer' },
  url: { type: 'string', format: 'uri' },
  display_url: { type: 'string', format: 'uri' },
  display: { type: 'string' },
  name: { type: 'string', nullable: true },
}

/** The bay in which a device is installed, and the device of that bay. */
const ofBay: PageQuery = (ids) => sql`
  select b.installed_device_id, b.id, b.device_id
  from ${table('dcim.devicebay')} b
  where b.installed_device_id = any(${ids}::bigint[])`

/** The device in whose bay a device is installed, with the bay. */
export const parentDevice = computed(
  {
    type: 'object',
    nullable: true,
    readOnly: true,
    properties: {
      ...NAMED,
      device_bay: {
        type: 'object',
        properties: { ...NAMED, device: { type: 'object', properties: NAMED } },
      },
    },
  },
  async (_ids, { results, nested }) => {
    const bays = [...(await results(ofBay))].flatMap(([child, found]) =>
      found.map(([bay, parent]) => ({ child, bay: Number(bay), parent: Number(parent) })),
    )
    if (bays.length === 0) return new Map()
    const [devices, bayTexts] = await Promise.all([
      nested(
        'dcim.device',
        bays.map(({ parent }) => parent),
        DEVICE,
      ),
      nested(
        'dcim.devicebay',
        bays.map(({ bay }) => bay),
        BAY,
      ),
    ])
    return new Map(
      bays.flatMap(({ child, bay, parent }) => {
        const [device, bayText] = [devices.get(parent), bayTexts.get(bay)]
        if (device === undefined || bayText === undefined) return []
        return [[child, `${device.slice(0, -1)},"device_bay":${bayText}}`] as const]
      }),
    )
  },
  { queries: [ofBay] },
)

import { randomUUID } from 'node:crypto'
import type { User } from '../../auth/actor.ts'
import type { Json } from '../../schema/json.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import type { WriteContext } from '../../write/context.ts'
import { createObjects } from '../../write/create-objects.ts'
import { runWrite } from '../../write/run.ts'
import { updateObjects } from '../../write/update-objects.ts'
import { MANAGEMENT_NETS, NETWORK } from './network.ts'

/** Who the change records name: the service itself. */
const actor: User = {
  kind: 'user',
  id: 0,
  username: 'demo',
  isSuperuser: true,
  tokenId: undefined,
  writeEnabled: true,
}

/**
 * Fills an empty service with a small sample network, as a client would have done it through the API.
 * Answers the number of objects; 0 where there are sites already.
 */
export async function loadDemo(service: Service): Promise<number> {
  const [found] = await service.database.queryArrays(sql`select exists (select from dcim_site)`)
  if (found?.[0] === true) return 0
  return await runWrite(service, { actor, requestId: randomUUID() }, async (context) => {
    let count = 0
    const create = async (model: string, bodies: readonly Json[]) => {
      const ids = await createObjects(context, service.registry.model(model), bodies, {
        bulk: true,
      })
      count += ids.length
      return ids
    }
    for (const [model, bodies] of NETWORK) await create(model, bodies)
    await connect(context, create)
    await giveAddresses(context, create)
    return count
  })
}

type Create = (model: string, bodies: readonly Json[]) => Promise<readonly number[]>

/** Each station's router is cabled to its switch. */
async function connect({ transaction }: WriteContext, create: Create): Promise<void> {
  const links = await transaction.query<{ router: number; switch: number }>(sql`
    select r.id as router, s.id as switch
    from dcim_interface r
    join dcim_device rd on rd.id = r.device_id and rd.name like '%-router'
    join dcim_device sd on sd.site_id = rd.site_id and sd.name like '%-switch'
    join dcim_interface s on s.device_id = sd.id and s.name = 'ge-0/1'
    where r.name = 'lan0' order by r.id`)
  await create(
    'dcim.cable',
    links.map((link) => ({
      a_terminations: [{ object_type: 'dcim.interface', object_id: link.router }],
      b_terminations: [{ object_type: 'dcim.interface', object_id: link.switch }],
      status: 'connected',
      type: 'cat6',
      color: '2196f3',
    })),
  )
}

/** Every device is managed at an address of its station, which is its primary one. */
async function giveAddresses(context: WriteContext, create: Create): Promise<void> {
  const devices = await context.transaction.query<{ id: number; name: string; port: number }>(sql`
    select d.id, d.name, i.id as port
    from dcim_device d join dcim_interface i on i.device_id = d.id and i.name = 'mgmt0'
    order by d.id`)
  const used = new Map<string, number>()
  const bodies = devices.map(({ name, port }) => {
    const station = name.slice(0, name.indexOf('-'))
    const host = (used.get(station) ?? 0) + 1
    used.set(station, host)
    return {
      // The third quarter of a station's network is for management.
      address: `10.20.${MANAGEMENT_NETS[station]}.${128 + host}/26`,
      status: 'active',
      dns_name: `${name}.skerry.example`,
      assigned_object_type: 'dcim.interface',
      assigned_object_id: port,
    }
  })
  const addresses = await create('ipam.ipaddress', bodies)
  await updateObjects(
    context,
    context.service.registry.model('dcim.device'),
    devices.map(({ id }, index) => ({ id, body: { primary_ip4: addresses[index] ?? null } })),
    { partial: true, bulk: true },
  )
}

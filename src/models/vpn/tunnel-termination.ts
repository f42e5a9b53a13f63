import { choices } from '../../schema/choices.ts'
import { housekeeping, LOGGED } from '../../schema/common.ts'
import { choice, foreignKey, genericForeignKey } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { sql } from '../../sql/fragment.ts'

export const tunnelTerminationRole = choices([
  ['peer', 'Peer', 'green'],
  ['hub', 'Hub', 'blue'],
  ['spoke', 'Spoke', 'orange'],
])

/** An interface at which a tunnel ends. */
export const tunnelTermination = model({
  name: 'vpn.tunneltermination',
  path: 'vpn/tunnel-terminations',
  labels: ['tunnel termination', 'tunnel terminations'],

  fields: {
    tunnel: foreignKey('vpn.tunnel', { onDelete: 'cascade', related: 'terminations' }),
    role: choice(tunnelTerminationRole, { default: 'peer', required: true }),
    termination: genericForeignKey(['dcim.interface', 'virtualization.vminterface'], {
      nullable: true,
      typeRequired: true,
      example: 'dcim.interface',
      related: 'tunnel_terminations',
    }),
    outside_ip: foreignKey('ipam.ipaddress', { related: 'tunnel_terminations', nullable: true }),
    ...housekeeping,
  },

  display: '{tunnel.display}: Termination {id}',
  brief: ['id', 'url', 'display'],
  order: ['tunnel', 'role', 'id'],
  search: () => sql`true`,
  unique: [{ fields: ['termination_type', 'termination_id'] }],

  filters: {
    tunnel: related('tunnel', 'vpn.tunnel', 'name'),
    interface: related('termination:dcim.interface', 'dcim.interface', 'name'),
    interface_id: related('termination:dcim.interface', 'dcim.interface'),
    vminterface: related(
      'termination:virtualization.vminterface',
      'virtualization.vminterface',
      'name',
    ),
    vminterface_id: related('termination:virtualization.vminterface', 'virtualization.vminterface'),
  },
  features: [...LOGGED, 'customLinks'],
  changeRelates: 'tunnel',
})

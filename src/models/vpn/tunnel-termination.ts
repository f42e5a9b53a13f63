import { choices } from '../../schema/choices.ts'
import { housekeeping, LOGGED } from '../../schema/common.ts'
import { choice, foreignKey, genericForeignKey } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { holderColumns, interfaceColumn } from '../dcim/interface-columns.ts'

const tunnelTerminationRole = choices([
  ['peer', 'Peer', 'green'],
  ['hub', 'Hub', 'blue'],
  ['spoke', 'Spoke', 'orange'],
])

/** An interface, or a whole device or virtual machine, at which a tunnel ends. */
export const tunnelTermination = model({
  name: 'vpn.tunneltermination',
  path: 'vpn/tunnel-terminations',
  labels: ['tunnel termination', 'tunnel terminations'],

  fields: {
    tunnel: foreignKey('vpn.tunnel', { onDelete: 'cascade', related: 'terminations' }),
    role: choice(tunnelTerminationRole, { default: 'peer', required: true }),
    // NetBox accepts any type, and the Terraform provider of bab3l terminates tunnels at devices.
    termination: genericForeignKey(
      ['dcim.interface', 'virtualization.vminterface', 'dcim.device', 'virtualization.virtualmachine'],
      {
        nullable: true,
        typeRequired: true,
        example: 'dcim.interface',
        related: 'tunnel_terminations',
      },
    ),
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
    vminterface: related('termination:virtualization.vminterface', 'virtualization.vminterface', 'name'),
    vminterface_id: related('termination:virtualization.vminterface', 'virtualization.vminterface'),
  },
  features: [...LOGGED, 'customLinks'],
  changeRelates: 'tunnel',
})

/** Reports the error on the termination; the declared constraint reports it on the object as well. */
const refuseSecondTunnel: Rule<typeof tunnelTermination.fields> = async ({ next, read }) => {
  const { termination_type, termination_id } = next
  if (termination_type === null || termination_id === null) return
  const other = await read.find(tunnelTermination, { termination_type, termination_id }, { not: next.id })
  return other ? { termination: 'The object already terminates another tunnel.' } : undefined
}

export const tunnelTerminationModel = registered(tunnelTermination, {
  behaviour: rulesFor(tunnelTermination, refuseSecondTunnel),
  context: words('tunnel termination'),
  columns: words('id tunnel role termination outside_ip'),
  labels: { termination: 'Tunnel interface' },
  formLabels: { termination: 'Tunnel interface' },
  panels: words('tunnel role termination outside_ip'),
  tables: [
    {
      model: 'vpn.tunneltermination',
      by: { tunnel_id: 'tunnel', id__n: 'id' },
      label: 'Peer Terminations',
    },
  ],
  form: words('tunnel role termination outside_ip tags'),
  filters: { Termination: words('tunnel_id role') },
  bulkEdit: ['role'],
  importColumns: { ...holderColumns('termination'), termination: interfaceColumn('termination') },
  imports: { without: ['outside_ip'], plus: ['outside_ip.address'] },
})

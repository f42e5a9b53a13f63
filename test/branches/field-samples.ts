import type { Body } from '../../src/schema/example-values.ts'
import { words } from '../../src/schema/view.ts'
import type { ExampleObjects } from '../registry/example-objects.ts'
import type { Api } from '../support/api.ts'

const COMPONENTS = words(`
  consoleport consoleserverport poweroutlet powerport frontport rearport interface modulebay coolingintake
  coolingoutflow`)

/** Writable fields of which a change is not tried, by reason. */
export const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'components stay in their device': [...COMPONENTS, 'devicebay'].map((name) => `dcim.${name}.device`),
  'templates of components stay in their type': [
    ...COMPONENTS.flatMap((name) => [`dcim.${name}template.device_type`, `dcim.${name}template.module_type`]),
    'dcim.inventoryitemtemplate.device_type',
  ],
  'nothing but the creation sets it': words(`
    core.changerequest.branch core.changereview.change_request core.changereview.verdict dcim.module.adopt_components
    dcim.module.replicate_components extras.customfield.type extras.journalentry.created_by`),
  'scripts or files of data sources are necessary': words(`
    core.changerequest.checks extras.configcontext.data_source extras.configcontext.data_file
    extras.configcontext.auto_sync_enabled extras.configcontextprofile.data_source
    extras.configcontextprofile.data_file extras.configcontextprofile.auto_sync_enabled
    extras.configtemplate.data_source extras.configtemplate.data_file extras.configtemplate.auto_sync_enabled
    extras.exporttemplate.data_source extras.exporttemplate.data_file extras.exporttemplate.auto_sync_enabled`),
  'only the service creates such objects': words('extras.finding.accepted_until extras.finding.reason'),
  'tested with packs, whose rules need values that fit each other': words(`
    netbox_acls.accesslist.family netbox_acls.accesslist.type netbox_acls.aclextendedrule.destination
    netbox_acls.aclextendedrule.remark netbox_acls.aclextendedrule.source netbox_acls.aclstandardrule.remark
    netbox_acls.aclstandardrule.source netbox_bgp.bgpsession.remote_prefix netbox_bgp.communitylistrule.community
    netbox_bgp.prefixlistrule.prefix netbox_contract.contract.external_party_object
    netbox_contract.contract.internal_party netbox_contract.contractline.currency netbox_contract.invoiceline.amount
    netbox_contract.invoiceline.currency netbox_contract.unit.months netbox_inventory.asset.inventoryitem
    netbox_inventory.asset.inventoryitem_type netbox_inventory.asset.module netbox_inventory.asset.module_type
    netbox_inventory.asset.rack netbox_inventory.asset.rack_type netbox_lifecycle.hardwarelifecycle.assigned_object
    netbox_lifecycle.supportcontractassignment.virtual_machine`),
  'tested with definitions, packs, groups, rules and rules about dates, which need values that fit each other': words(`
    core.pack.document core.pack.name core.pack.settings extras.rule.expression extras.rule.object_type
    custom_objects.customobjecttype.applies_to custom_objects.customobjecttype.extends
    custom_objects.customobjecttype.ordering custom_objects.customobjecttype.unique_together
    custom_objects.customobjecttype.version custom_objects.customobjecttypefield.app_label
    custom_objects.customobjecttypefield.choice_set custom_objects.customobjecttypefield.custom_object_type
    custom_objects.customobjecttypefield.default custom_objects.customobjecttypefield.is_polymorphic
    custom_objects.customobjecttypefield.model custom_objects.customobjecttypefield.related_object_type
    custom_objects.customobjecttypefield.related_object_types
    custom_objects.customobjecttypefield.related_object_types_input custom_objects.customobjecttypefield.schema_id
    custom_objects.gadget.attached custom_objects.gadgetpart.holder extras.computedfield.expression
    extras.computedfield.object_type extras.dynamicgroup.object_type extras.dynamicgroup.parameters
    extras.eventrule.date_field`),
  'the list that joins it with others is tried instead': words(`
    custom_objects.gadget.places_dcim_rack custom_objects.gadget.places_dcim_devicetype
    custom_objects.gadgetpart.users_custom_objects_gadget custom_objects.gadgetpart.users_tenancy_tenant`),
}

/** Names of the fields under which records contain values that a body may give in another form. */
export const RECORDED_AS: Readonly<Record<string, string>> = {
  'dcim.interface.mac_address': 'primary_mac_address',
  'virtualization.vminterface.mac_address': 'primary_mac_address',
  'custom_objects.gadget.places': 'places_dcim_devicetype',
  'custom_objects.gadgetpart.users': 'users_tenancy_tenant',
  'ipam.service.protocol': 'port_mappings',
  'ipam.service.ports': 'port_mappings',
  'ipam.servicetemplate.protocol': 'port_mappings',
  'ipam.servicetemplate.ports': 'port_mappings',
}

/** Fields whose write saves the object twice, so that the undo does not restore the time of the last save. */
export const SAVED_TWICE: ReadonlySet<string> = new Set(
  words('dcim.interface.mac_address virtualization.vminterface.mac_address'),
)

/** A body, and the object if it is not the first example. */
export interface FieldSample {
  readonly id?: number
  readonly body: Body
}

/** Values of fields whose rules exclude everything that could be derived, with the objects that they need. */
export async function fieldSamples(api: Api, objects: ExampleObjects): Promise<Readonly<Record<string, FieldSample>>> {
  const first = (model: string, name = 'id') => Number(objects.field(model, name))
  const nth = (model: string, n: number) => Number(objects.of(api.service.registry.model(model))[n - 1]?.id)
  const device = first('dcim.device')
  const machine = first('virtualization.virtualmachine')
  const type = nth('dcim.devicetype', 1)
  const port = (name: string, body: object = {}) =>
    api.make('dcim/interfaces', { device, name, type: '1000base-t', ...body })
  const addresses = async (assigned_object_type: string, assigned_object_id: number, n: number) => {
    const address = (text: string) =>
      api.make('ipam/ip-addresses', { address: text, assigned_object_type, assigned_object_id })
    return { v4: await address(`198.51.100.${n}/24`), v6: await address(`2001:db8::${n}/64`) }
  }
  const near = await port('sample', { channels: 4 })
  const far = await port('sample far')
  const lag = await port('sample lag', { type: 'lag' })
  const virtual = await port('sample virtual', { type: 'virtual' })
  const own = await addresses('dcim.interface', near, 1)
  const vmPort = await api.make('virtualization/interfaces', { virtual_machine: machine, name: 'sample' })
  const ofMachine = await addresses('virtualization.vminterface', vmPort, 2)
  const plainMachine = await api.make('virtualization/virtual-machines', {
    name: 'sample',
    cluster: first('virtualization.cluster'),
  })
  const service = await api.make('ipam/vlans', { vid: 777, name: 'sample', qinq_role: 'svlan' })
  const consolePort = await api.make('dcim/console-ports', { device, name: 'sample' })
  const serverPort = await api.make('dcim/console-server-ports', { device, name: 'sample' })
  const bay = await api.make('dcim/module-bays', { device, name: 'sample' })
  const bayElsewhere = await api.make('dcim/module-bays', { device: nth('dcim.device', 2), name: 'sample' })
  const location = await api.make('dcim/locations', { name: 'Sample', slug: 'sample', site: nth('dcim.site', 1) })
  const item = await api.make('dcim/inventory-items', { device, name: 'sample' })
  const portTemplate = (name: string, body: object) =>
    api.make('dcim/interface-templates', { device_type: type, name, type: '1000base-t', ...body })
  const template = await portTemplate('sample', { channels: 4 })
  const virtualTemplate = await portTemplate('sample virtual', { type: 'virtual' })
  const farTemplate = await portTemplate('sample far', {})
  const child = await api.make('dcim/device-types', {
    ...{ manufacturer: first('dcim.manufacturer'), model: 'Sample', slug: 'sample', u_height: 0 },
  })
  const member = nth('dcim.device', 3)
  const chassis = first('dcim.virtualchassis')
  await api.ask('PATCH', `/api/dcim/devices/${member}/`, { body: { virtual_chassis: chassis, vc_position: 1 } })
  const customField = (name: string, body: object) =>
    api.make('extras/custom-fields', { name, object_types: ['dcim.site'], ...body })
  const plainField = await customField('sample_text', { type: 'text' })
  const related = await customField('sample_object', { type: 'object', related_object_type: 'dcim.site' })
  const document = await customField('sample_document', { type: 'json' })
  const selection = await customField('sample_choice', {
    type: 'select',
    choice_set: first('extras.customfieldchoiceset'),
  })
  const at = (object_type: string, object_id: number) => [{ object_type, object_id }]
  const mapping = (end: string, id: number) => [{ position: 1, [end]: id, [`${end}_position`]: 1 }]
  const inSite = { scope_type: 'dcim.site', scope_id: nth('dcim.site', 1) }
  const onPort = { assigned_object_type: 'dcim.interface', assigned_object_id: near }
  const tagged = { mode: 'tagged', tagged_vlans: [first('ipam.vlan')] }
  const stacked = { mode: 'q-in-q', qinq_svlan: service }
  const inRack = { rack: first('dcim.rack'), face: 'front', position: 1 }
  const image = { front_image: IMAGE() }
  const bodies: Readonly<Record<string, Body | FieldSample>> = {
    'circuits.virtualcircuittermination.interface': { interface: virtual },
    'core.changepolicy.object_types': { object_types: ['dcim.site'] },
    'core.changepolicy.not_before': { not_before: '21:00' },
    'core.changepolicy.not_after': { not_after: '23:30' },
    'custom_objects.gadget.places': {
      places: [
        { app_label: 'dcim', model: 'rack', id: nth('dcim.rack', 2) },
        { app_label: 'dcim', model: 'devicetype', id: child },
      ],
    },
    'custom_objects.gadgetpart.users': {
      users: [{ app_label: 'tenancy', model: 'tenant', id: nth('tenancy.tenant', 2) }],
    },
    'dcim.cable.a_terminations': { a_terminations: at('dcim.consoleport', consolePort) },
    'dcim.cable.b_terminations': { b_terminations: at('dcim.consoleserverport', serverPort) },
    'dcim.consoleport.mark_connected': { id: consolePort, body: { mark_connected: true } },
    'dcim.consoleserverport.mark_connected': { id: serverPort, body: { mark_connected: true } },
    'dcim.device.position': inRack,
    'dcim.device.face': inRack,
    'dcim.device.primary_ip4': { primary_ip4: own.v4 },
    'dcim.device.primary_ip6': { primary_ip6: own.v6 },
    'dcim.device.oob_ip': { oob_ip: own.v4 },
    'dcim.devicetype.subdevice_role': { id: child, body: { subdevice_role: 'child' } },
    'dcim.devicetype.front_image': image,
    'dcim.devicetype.rear_image': { rear_image: IMAGE() },
    'dcim.frontport.rear_ports': { rear_ports: mapping('rear_port', first('dcim.rearport')) },
    'dcim.frontporttemplate.rear_ports': { rear_ports: mapping('rear_port', first('dcim.rearporttemplate')) },
    'dcim.rearport.front_ports': { front_ports: mapping('front_port', first('dcim.frontport')) },
    'dcim.rearporttemplate.front_ports': { front_ports: mapping('front_port', first('dcim.frontporttemplate')) },
    'dcim.interface.channel_id': { id: far, body: { type: 'channel', parent: near, channel_id: 1 } },
    'dcim.interface.parent': { id: virtual, body: { parent: near } },
    'dcim.interface.bridge': { id: far, body: { bridge: near } },
    'dcim.interface.lag': { id: far, body: { lag } },
    'dcim.interface.mac_address': { id: near, body: { mac_address: '02:00:00:00:77:01' } },
    'dcim.interface.tagged_vlans': { id: near, body: tagged },
    'dcim.interface.qinq_svlan': { id: near, body: stacked },
    'dcim.interfacetemplate.channel_id': {
      id: farTemplate,
      body: { type: 'channel', parent: template, channel_id: 1 },
    },
    'dcim.interfacetemplate.parent': { id: virtualTemplate, body: { parent: template } },
    'dcim.interfacetemplate.bridge': { bridge: template },
    'dcim.interfacetemplate.rf_role': { type: 'ieee802.11ac', rf_role: 'ap' },
    'dcim.inventoryitem.parent': { parent: item },
    'dcim.inventoryitem.component': { component_type: 'dcim.interface', component_id: near },
    'dcim.inventoryitemtemplate.component': { component_type: 'dcim.interfacetemplate', component_id: template },
    'dcim.location.parent': { parent: location },
    'dcim.macaddress.assigned_object': onPort,
    'dcim.module.device': { device: nth('dcim.device', 2), module_bay: bayElsewhere },
    'dcim.module.module_bay': { module_bay: bay },
    'dcim.virtualchassis.master': { master: member },
    'dcim.virtualdevicecontext.primary_ip4': { primary_ip4: own.v4 },
    'dcim.virtualdevicecontext.primary_ip6': { primary_ip6: own.v6 },
    'extras.configcontext.tags': { tags: [String(objects.field('extras.tag', 'slug'))] },
    'extras.customfieldchoiceset.choice_colors': { extra_choices: [['a', 'A']], choice_colors: { a: 'red' } },
    'extras.customfield.related_object_type': { id: related, body: { related_object_type: 'dcim.region' } },
    'extras.customfield.name': { name: 'sample_name' },
    'extras.customfield.default': { id: plainField, body: { default: 'sample' } },
    'extras.customfield.related_object_filter': { id: related, body: { related_object_filter: { status: 'active' } } },
    'extras.customfield.validation_schema': { id: document, body: { validation_schema: { type: 'object' } } },
    'extras.customfield.choice_set': { id: selection, body: { choice_set: nth('extras.customfieldchoiceset', 2) } },
    'extras.eventrule.event_types': { event_types: ['object_updated'] },
    'extras.eventrule.conditions': { conditions: { and: [{ attr: 'name', value: 'sample' }] } },
    'extras.imageattachment.image': { image: IMAGE() },
    'extras.savedview.object_type': { object_type: 'dcim.site', columns: ['name', 'id'] },
    'extras.savedview.columns': { columns: ['name', 'id'] },
    'extras.tableconfig.object_type': { object_type: 'dcim.site' },
    'extras.tableconfig.columns': { columns: ['name', 'id'] },
    'extras.webhook.payload_url': { payload_url: 'https://example.com/sample' },
    'ipam.aggregate.prefix': { prefix: '172.16.0.0/12' },
    'ipam.ipaddress.address': { address: '198.51.100.99/24' },
    'ipam.ipaddress.assigned_object': onPort,
    'ipam.iprange.start_address': { start_address: '198.51.100.200/24', end_address: '198.51.100.209/24' },
    'ipam.iprange.end_address': { start_address: '198.51.100.210/24', end_address: '198.51.100.219/24' },
    'ipam.prefix.prefix': { prefix: '172.16.7.0/24' },
    'ipam.prefix.scope': inSite,
    'ipam.service.ports': { protocol: 'tcp', ports: [99] },
    'ipam.servicetemplate.ports': { protocol: 'tcp', ports: [99] },
    'ipam.vlan.qinq_svlan': { qinq_role: 'cvlan', qinq_svlan: service },
    'ipam.vlangroup.scope': inSite,
    'labels.labeltemplate.object_type': { object_type: 'dcim.site' },
    'netbox_documents.document.document': { document: IMAGE(), external_url: '' },
    'netbox_floorplan.floorplan.location': { site: null, location },
    'netbox_floorplan.floorplanimage.file': { file: IMAGE(), external_url: '' },
    'netbox_floorplan.floorplantile.linked_object': { object_type: 'dcim.rack', object_id: nth('dcim.rack', 2) },
    'virtualization.cluster.scope': inSite,
    'virtualization.virtualmachine.primary_ip4': { primary_ip4: ofMachine.v4 },
    'virtualization.virtualmachine.primary_ip6': { primary_ip6: ofMachine.v6 },
    'virtualization.virtualmachine.disk': { id: plainMachine, body: { disk: 7 } },
    'virtualization.vminterface.parent': { parent: vmPort },
    'virtualization.vminterface.bridge': { bridge: vmPort },
    'virtualization.vminterface.mac_address': { id: vmPort, body: { mac_address: '02:00:00:00:77:02' } },
    'virtualization.vminterface.qinq_svlan': stacked,
    'vpn.ikepolicy.version': { version: 1, mode: 'main' },
    'vpn.ikepolicy.mode': { version: 1, mode: 'aggressive' },
    'vpn.tunneltermination.termination': { termination_type: 'dcim.interface', termination_id: near },
    'wireless.wirelesslan.scope': inSite,
  }
  return Object.fromEntries(
    Object.entries(bodies).map(([name, sample]) => [
      name,
      'body' in sample ? (sample as FieldSample) : { body: sample as Body },
    ]),
  )
}

const IMAGE = () => new Blob([Buffer.from('R0lGODlhAQABAIAAAP///////ywAAAAAAQABAAACAUwAOw==', 'base64')])

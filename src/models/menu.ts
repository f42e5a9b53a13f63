import type { MenuSection } from '../schema/menu.ts'
import { words } from '../schema/view.ts'

/** The menu: the lists that people look for, by subject. Models name their lists; other entries have their own path. */
export const MENU: readonly MenuSection[] = [
  {
    label: 'Organization',
    groups: [
      { label: 'Sites', models: ['dcim.region', 'dcim.sitegroup', 'dcim.site', 'dcim.location'] },
      { label: 'Tenancy', models: ['tenancy.tenant', 'tenancy.tenantgroup'] },
      {
        label: 'Contacts',
        rare: words('tenancy.contactgroup tenancy.contactrole tenancy.contactassignment'),
        models: words(`
          tenancy.contact tenancy.contactgroup tenancy.contactrole tenancy.contactassignment
        `),
      },
    ],
  },
  {
    label: 'Racks',
    groups: [
      {
        label: 'Racks',
        models: ['dcim.rack', 'dcim.rackreservation'],
        pages: [{ label: 'Rack Elevations', path: '/dcim/rack-elevations/', model: 'dcim.rack' }],
      },
      {
        label: 'Rack Organization',
        rare: words('dcim.rackgroup dcim.rackrole'),
        models: ['dcim.rackgroup', 'dcim.rackrole'],
      },
      { label: 'Rack Types', models: ['dcim.racktype'] },
    ],
  },
  {
    label: 'Devices',
    groups: [
      {
        label: 'Devices',
        rare: words('dcim.module dcim.virtualchassis dcim.virtualdevicecontext'),
        models: words(`
          dcim.device dcim.module dcim.devicerole dcim.platform dcim.virtualchassis
          dcim.virtualdevicecontext
        `),
      },
      {
        label: 'Device Types',
        rare: words('dcim.moduletype dcim.moduletypeprofile dcim.modulebaytype'),
        models: words('dcim.devicetype dcim.moduletype dcim.moduletypeprofile dcim.modulebaytype dcim.manufacturer'),
      },
      {
        label: 'Device Components',
        rare: words(
          'dcim.coolingintake dcim.coolingoutflow dcim.modulebay dcim.devicebay dcim.inventoryitem dcim.inventoryitemrole',
        ),
        models: words(`
          dcim.interface dcim.frontport dcim.rearport dcim.consoleport dcim.consoleserverport
          dcim.powerport dcim.poweroutlet dcim.coolingintake dcim.coolingoutflow dcim.modulebay dcim.devicebay
          dcim.inventoryitem dcim.inventoryitemrole
        `),
      },
      { label: 'Addressing', models: ['dcim.macaddress'] },
    ],
  },
  {
    label: 'Connections',
    groups: [
      {
        label: 'Connections',
        rare: words('dcim.cablebundle wireless.wirelesslink'),
        models: ['dcim.cable', 'dcim.cablebundle', 'wireless.wirelesslink'],
      },
    ],
  },
  {
    label: 'Wireless',
    groups: [
      {
        label: 'Wireless',
        rare: words('wireless.wirelesslangroup'),
        models: ['wireless.wirelesslan', 'wireless.wirelesslangroup'],
      },
    ],
  },
  {
    label: 'IPAM',
    groups: [
      { label: 'IP Addresses', models: ['ipam.ipaddress', 'ipam.iprange'] },
      { label: 'Prefixes', models: ['ipam.prefix', 'ipam.role'] },
      { label: 'ASNs', rare: words('ipam.asnrange'), models: ['ipam.asnrange', 'ipam.asn'] },
      { label: 'Aggregates', models: ['ipam.aggregate', 'ipam.rir'] },
      { label: 'VRFs', rare: words('ipam.routetarget'), models: ['ipam.vrf', 'ipam.routetarget'] },
      {
        label: 'VLANs',
        rare: words('ipam.vlantranslationpolicy ipam.vlantranslationrule'),
        models: words(`
          ipam.vlan ipam.vlangroup ipam.vlantranslationpolicy ipam.vlantranslationrule
        `),
      },
      {
        label: 'Other',
        rare: words('ipam.fhrpgroup ipam.servicetemplate ipam.service'),
        models: ['ipam.fhrpgroup', 'ipam.servicetemplate', 'ipam.service'],
      },
    ],
  },
  {
    label: 'VPN',
    groups: [
      { label: 'Tunnels', models: ['vpn.tunnel', 'vpn.tunnelgroup', 'vpn.tunneltermination'] },
      { label: 'L2VPNs', models: ['vpn.l2vpn', 'vpn.l2vpntermination'] },
      {
        label: 'Security',
        rare: words('vpn.ikeproposal vpn.ikepolicy vpn.ipsecproposal vpn.ipsecpolicy vpn.ipsecprofile'),
        models: words(`
          vpn.ikeproposal vpn.ikepolicy vpn.ipsecproposal vpn.ipsecpolicy vpn.ipsecprofile
        `),
      },
    ],
  },
  {
    label: 'Virtualization',
    groups: [
      {
        label: 'Virtual Machines',
        rare: words('virtualization.virtualdisk virtualization.virtualmachinetype'),
        models: words(`
          virtualization.virtualmachine virtualization.vminterface virtualization.virtualdisk
          virtualization.virtualmachinetype
        `),
      },
      {
        label: 'Clusters',
        rare: words('virtualization.clustergroup'),
        models: words(`
          virtualization.cluster virtualization.clustertype virtualization.clustergroup
        `),
      },
    ],
  },
  {
    label: 'Circuits',
    groups: [
      {
        label: 'Circuits',
        models: ['circuits.circuit', 'circuits.circuittype', 'circuits.circuittermination'],
      },
      {
        label: 'Virtual Circuits',
        rare: words('circuits.virtualcircuit circuits.virtualcircuittype circuits.virtualcircuittermination'),
        models: words(`
          circuits.virtualcircuit circuits.virtualcircuittype circuits.virtualcircuittermination
        `),
      },
      {
        label: 'Groups',
        rare: words('circuits.circuitgroup circuits.circuitgroupassignment'),
        models: ['circuits.circuitgroup', 'circuits.circuitgroupassignment'],
      },
      {
        label: 'Providers',
        rare: words('circuits.provideraccount circuits.providernetwork'),
        models: ['circuits.provider', 'circuits.provideraccount', 'circuits.providernetwork'],
      },
    ],
  },
  {
    label: 'Power',
    groups: [
      { label: 'Power', models: ['dcim.powerfeed', 'dcim.powerpanel'] },
      {
        label: 'Cooling',
        rare: words('dcim.coolingfeed dcim.coolingsource'),
        models: ['dcim.coolingfeed', 'dcim.coolingsource'],
      },
    ],
  },
  {
    label: 'Provisioning',
    groups: [
      {
        label: 'Configurations',
        rare: words('extras.configcontextprofile'),
        models: ['extras.configcontext', 'extras.configcontextprofile', 'extras.configtemplate'],
      },
    ],
  },
  {
    label: 'Customization',
    groups: [
      {
        label: 'Customization',
        models: words(`
          extras.customfield extras.customfieldchoiceset custom_objects.customobjecttype
          custom_objects.customobjecttypefield extras.computedfield extras.customlink extras.exporttemplate
          extras.savedfilter extras.savedview extras.dynamicgroup extras.tableconfig extras.tag
          extras.imageattachment
        `),
      },
      { label: 'Packs', models: ['core.pack'] },
      {
        label: 'Rules',
        models: ['extras.rule', 'extras.finding'],
        pages: [{ label: 'Scores', path: '/extras/findings/scores/', model: 'extras.finding' }],
      },
      { label: 'Scripts', models: ['extras.script'] },
    ],
  },
  {
    label: 'Operations',
    groups: [
      {
        label: 'Integrations',
        models: ['core.datasource', 'extras.eventrule', 'extras.webhook', 'extras.webhookdelivery'],
      },
      { label: 'Jobs', models: ['core.job'] },
      { label: 'Branches', models: ['core.branch', 'core.changerequest', 'core.changepolicy'] },
      {
        label: 'Logging',
        models: ['extras.notificationgroup', 'extras.journalentry', 'core.objectchange'],
        pages: [{ label: 'Live', path: '/core/events/', model: 'core.objectchange' }],
      },
    ],
  },
  {
    label: 'Admin',
    groups: [
      {
        label: 'Authentication',
        models: ['users.user', 'users.group', 'users.token', 'users.objectpermission', 'users.groupmapping'],
        pages: [
          { label: 'Sign-in', path: '/users/sign-in/' },
          // Plans are change requests, so whoever lets an agent plan may view these.
          { label: 'Agents', path: '/users/agents/', model: 'core.changerequest' },
        ],
      },
      { label: 'Ownership', rare: words('users.ownergroup users.owner'), models: ['users.ownergroup', 'users.owner'] },
      {
        label: 'System',
        models: [],
        pages: [
          { label: 'System', path: '/core/system/' },
          { label: 'Configuration', path: '/core/config-revisions/' },
        ],
      },
    ],
  },
]

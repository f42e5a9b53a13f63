import { description } from '../../schema/common.ts'
import { boolean, choice, foreignKey, integer } from '../../schema/field.ts'
import { behaviour, type Rule } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { wirelessRole } from '../wireless/choices.ts'
import { channelsAreClear, keepsChannels, parentHasChannel, renameChannels } from './channels.rules.ts'
import { earlierInterfaceType, interfaceType } from './choices/interface-type.ts'
import { interfacePoeMode, interfacePoeType } from './choices.ts'
import { areOfOneType, belongsToOneType, componentTemplate, staysInType } from './component-template.ts'
import { notBridgedToItself, powerNeedsHardware, powerTypeNeedsMode, roleNeedsWireless } from './interface-kind.ts'
import { storedNameOrder } from './interface-name-order.ts'

/** An interface that the devices or modules of a type have. */
export const interfaceTemplate = componentTemplate({
  name: 'dcim.interfacetemplate',
  path: 'dcim/interface-templates',
  labels: ['interface template', 'interface templates'],
  earlier: { without: ['channels', 'channel_id', 'parent'], fields: { type: choice(earlierInterfaceType, {}) } },

  fields: {
    type: choice(interfaceType, { example: '1000base-t' }),
    channels: integer({ size: 'small', range: [1, 1024], nullable: true, example: null }),
    channel_id: integer({ size: 'small', range: [1, 1024], nullable: true, example: null, label: 'Channel ID' }),
    enabled: boolean({ default: true }),
    mgmt_only: boolean({ default: false, label: 'Management only' }),
    description,
    parent: foreignKey('dcim.interfacetemplate', {
      onDelete: 'restrict',
      related: 'child_interfaces',
      nullable: true,
      projection: ['id', 'url', 'display', 'name'],
    }),
    bridge: foreignKey('dcim.interfacetemplate', {
      onDelete: 'setNull',
      related: 'bridge_interfaces',
      projection: ['id', 'url', 'display', 'name'],
    }),
    poe_mode: choice(interfacePoeMode, { nullable: true, blank: true }),
    poe_type: choice(interfacePoeType, { nullable: true, blank: true }),
    rf_role: choice(wirelessRole, { nullable: true, max: 30, blank: true, example: null }),
    _name: storedNameOrder,
  },
})

const bridgeIsOfSameType: Rule<typeof interfaceTemplate.fields> = async ({ next, read }) => {
  if (next.bridge === null) return
  const bridge = await read.get(interfaceTemplate, next.bridge)
  return areOfOneType(next, bridge)
    ? undefined
    : { bridge: `The bridge ${bridge.display} belongs to another device type.` }
}

const parentIsChannelized: Rule<typeof interfaceTemplate.fields> = async ({ next, read }) => {
  if (next.parent === null) return
  const parent = await read.get(interfaceTemplate, next.parent)
  if (!areOfOneType(next, parent)) return { parent: `The parent ${parent.display} belongs to another type.` }
  return next.type === 'virtual' || next.channel_id !== null
    ? parentHasChannel(next.channel_id, parent)
    : { parent: 'Only virtual interfaces and channels have a parent interface.' }
}

const channelsStay: Rule<typeof interfaceTemplate.fields> = async ({ next, previous, read }) =>
  previous && previous.channels !== next.channels
    ? keepsChannels(next.channels, await read.all(interfaceTemplate, { parent: next.id }))
    : undefined

export const interfaceTemplateModel = registered(interfaceTemplate, {
  behaviour: behaviour(interfaceTemplate, {
    modelRules: [
      staysInType,
      belongsToOneType,
      notBridgedToItself,
      powerNeedsHardware,
      powerTypeNeedsMode,
      roleNeedsWireless,
      bridgeIsOfSameType,
      channelsAreClear,
      parentIsChannelized,
      channelsStay,
    ],
    afterWrite: [renameChannels(interfaceTemplate, ['device_type_id', 'module_type_id'])],
  }),
  context: words('device_type module_type'),
  columns: words('display name description'),
  moreColumns: { without: words('device_type module_type created last_updated') },
  labels: { mgmt_only: 'Management Only', bridge: 'Bridge interface' },
  fieldLabels: { rf_role: 'Wireless role' },
  panels: words(`
    device_type module_type name label type channels enabled mgmt_only description parent channel_id bridge poe_mode poe_type
    rf_role
  `),
  form: {
    '': words(`
      device_type module_type name label type channels enabled mgmt_only description parent channel_id bridge
    `),
    PoE: words('poe_mode poe_type'),
    Wireless: ['rf_role'],
  },
  narrowedBy: {
    parent: { device_type_id: 'device_type', module_type_id: 'module_type' },
    bridge: { device_type_id: 'device_type', module_type_id: 'module_type' },
  },
  bulkEdit: words('label type enabled mgmt_only description poe_mode poe_type rf_role'),
})

import type { Model } from './registry.ts'

/** Models that clients know by another name than their label gives. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'ipam.service': 'Service',
  'ipam.servicetemplate': 'ServiceTemplate',
  'users.objectpermission': 'ObjectPermission',
  'virtualization.vminterface': 'VMInterface',
}

/** The model's name as clients know it from messages: `CircuitGroup`, `IPAddress`. */
export const className = (model: Model): string =>
  EXCEPTIONS[model.name] ?? titleOf(model).replaceAll(' ', '')

/** Apps whose name for people is not simply the key with a capital. */
const APP_TITLES: Readonly<Record<string, string>> = { dcim: 'DCIM', ipam: 'IPAM', vpn: 'VPN' }

/** The name of the model's app for people: `DCIM`, `Tenancy`. */
export const appTitleOf = ({ app, plugin }: Model): string =>
  plugin?.label ?? APP_TITLES[app] ?? `${app.charAt(0).toUpperCase()}${app.slice(1)}`

/** The label with capitals: `Circuit Group`, `IP Address`. */
export const titleOf = ({ definition }: Model): string => capitalised(definition.labels[0])

/** The same of many: `Circuit Groups`, `IP Addresses`. */
export const pluralTitleOf = ({ definition }: Model): string => capitalised(definition.labels[1])

const capitalised = (label: string): string =>
  label.replace(/(^|[ -])\p{L}/gu, (initial) => initial.toUpperCase())

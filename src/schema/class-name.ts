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

/** The label with capitals: `Circuit Group`, `IP Address`. */
export const titleOf = ({ definition }: Model): string =>
  definition.labels[0].replace(/(^|[ -])\p{L}/gu, (initial) => initial.toUpperCase())

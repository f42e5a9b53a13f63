import { choices } from '../../../schema/choices.ts'

/** Statuses of a circuit. */
export const circuitStatus = choices([
  ['planned', 'Planned', 'cyan'],
  ['provisioning', 'Provisioning', 'blue'],
  ['active', 'Active', 'green'],
  ['offline', 'Offline', 'red'],
  ['deprovisioning', 'Deprovisioning', 'yellow'],
  ['decommissioned', 'Decommissioned', 'gray'],
])

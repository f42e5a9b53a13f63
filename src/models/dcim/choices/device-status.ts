import { choices } from '../../../schema/choices.ts'

/** Statuses of a device. */
export const deviceStatus = choices([
  ['offline', 'Offline', 'gray'],
  ['active', 'Active', 'green'],
  ['planned', 'Planned', 'cyan'],
  ['staged', 'Staged', 'blue'],
  ['failed', 'Failed', 'red'],
  ['inventory', 'Inventory', 'purple'],
  ['decommissioning', 'Decommissioning', 'yellow'],
])

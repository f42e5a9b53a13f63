import { choices } from '../../../schema/choices.ts'

/** Statuses of a link. */
export const linkStatus = choices([
  ['connected', 'Connected', 'green'],
  ['planned', 'Planned', 'blue'],
  ['decommissioning', 'Decommissioning', 'yellow'],
])

import { choices } from '../../../schema/choices.ts'

/** Values of link Status. */
export const linkStatus = choices([
  ['connected', 'Connected', 'green'],
  ['planned', 'Planned', 'blue'],
  ['decommissioning', 'Decommissioning', 'yellow'],
])

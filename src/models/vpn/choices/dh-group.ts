import { choices } from '../../../schema/choices.ts'

/** Diffie-Hellman groups. */
export const dhGroup = choices([
  [1, 'Group 1'],
  [2, 'Group 2'],
  [5, 'Group 5'],
  [14, 'Group 14'],
  [15, 'Group 15'],
  [16, 'Group 16'],
  [17, 'Group 17'],
  [18, 'Group 18'],
  [19, 'Group 19'],
  [20, 'Group 20'],
  [21, 'Group 21'],
  [22, 'Group 22'],
  [23, 'Group 23'],
  [24, 'Group 24'],
  [25, 'Group 25'],
  [26, 'Group 26'],
  [27, 'Group 27'],
  [28, 'Group 28'],
  [29, 'Group 29'],
  [30, 'Group 30'],
  [31, 'Group 31'],
  [32, 'Group 32'],
  [33, 'Group 33'],
  [34, 'Group 34'],
])

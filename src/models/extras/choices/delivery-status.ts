import { choices } from '../../../schema/choices.ts'

/** States of a delivery. `retrying`: the last attempt failed and another one follows; `dead`: no other follows. */
export const deliveryStatus = choices([
  ['queued', 'Queued', 'blue'],
  ['retrying', 'Retrying', 'orange'],
  ['delivered', 'Delivered', 'green'],
  ['dead', 'Dead', 'red'],
  ['canceled', 'Canceled', 'gray'],
])

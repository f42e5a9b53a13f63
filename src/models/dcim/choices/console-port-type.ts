import { choices } from '../../../schema/choices.ts'

/** Types of a console port. */
export const consolePortType = choices([
  ['de-9', 'DE-9'],
  ['db-25', 'DB-25'],
  ['rj-11', 'RJ-11'],
  ['rj-12', 'RJ-12'],
  ['rj-45', 'RJ-45'],
  ['mini-din-8', 'Mini-DIN 8'],
  ['usb-a', 'USB Type A'],
  ['usb-b', 'USB Type B'],
  ['usb-c', 'USB Type C'],
  ['usb-mini-a', 'USB Mini A'],
  ['usb-mini-b', 'USB Mini B'],
  ['usb-micro-a', 'USB Micro A'],
  ['usb-micro-b', 'USB Micro B'],
  ['usb-micro-ab', 'USB Micro AB'],
  ['other', 'Other'],
])

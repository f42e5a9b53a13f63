import { choices } from '../../schema/choices.ts'

/** Ends of a cable. */
export const cableEnd = choices([
  ['A', 'A'],
  ['B', 'B'],
])

/** Statuses of a link. */
export const linkStatus = choices([
  ['connected', 'Connected', 'green'],
  ['planned', 'Planned', 'blue'],
  ['decommissioning', 'Decommissioning', 'yellow'],
])

/** Speeds of a console port, in bits per second. */
export const consolePortSpeed = choices([
  [1200, '1200 bps'],
  [2400, '2400 bps'],
  [4800, '4800 bps'],
  [9600, '9600 bps'],
  [19200, '19.2 kbps'],
  [38400, '38.4 kbps'],
  [57600, '57.6 kbps'],
  [115200, '115.2 kbps'],
])

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

/** Airflow directions of a device. */
export const deviceAirflow = choices([
  ['front-to-rear', 'Front to rear'],
  ['rear-to-front', 'Rear to front'],
  ['left-to-right', 'Left to right'],
  ['right-to-left', 'Right to left'],
  ['side-to-rear', 'Side to rear'],
  ['rear-to-side', 'Rear to side'],
  ['bottom-to-top', 'Bottom to top'],
  ['top-to-bottom', 'Top to bottom'],
  ['passive', 'Passive'],
  ['mixed', 'Mixed'],
])

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

/** 802.1Q modes of an interface. */
export const interfaceMode = choices([
  ['access', 'Access'],
  ['tagged', 'Tagged'],
  ['tagged-all', 'Tagged (All)'],
  ['q-in-q', 'Q-in-Q (802.1ad)'],
])

/** Power over Ethernet modes of an interface. */
export const interfacePoeMode = choices([
  ['pd', 'PD'],
  ['pse', 'PSE'],
])

/** Power over Ethernet standards of an interface. */
export const interfacePoeType = choices([
  ['type1-ieee802.3af', '802.3af (Type 1)'],
  ['type2-ieee802.3at', '802.3at (Type 2)'],
  ['type3-ieee802.3bt', '802.3bt (Type 3)'],
  ['type4-ieee802.3bt', '802.3bt (Type 4)'],
  ['passive-24v-2pair', 'Passive 24V (2-pair)'],
  ['passive-24v-4pair', 'Passive 24V (4-pair)'],
  ['passive-48v-2pair', 'Passive 48V (2-pair)'],
  ['passive-48v-4pair', 'Passive 48V (4-pair)'],
])

/** Phases of a power outlet. */
export const powerOutletFeedLeg = choices([
  ['A', 'A'],
  ['B', 'B'],
  ['C', 'C'],
])

/** Units of a rack's outer dimensions. */
export const rackDimensionUnit = choices([
  ['mm', 'Millimeters'],
  ['in', 'Inches'],
])

/** Form factors of a rack. */
export const rackFormFactor = choices([
  ['2-post-frame', '2-post frame'],
  ['4-post-frame', '4-post frame'],
  ['4-post-cabinet', '4-post cabinet'],
  ['wall-frame', 'Wall-mounted frame'],
  ['wall-frame-vertical', 'Wall-mounted frame (vertical)'],
  ['wall-cabinet', 'Wall-mounted cabinet'],
  ['wall-cabinet-vertical', 'Wall-mounted cabinet (vertical)'],
])

/** Widths of a rack, in inches. */
export const rackWidth = choices([
  [10, '10 inches'],
  [19, '19 inches'],
  [21, '21 inches'],
  [23, '23 inches'],
])

/** Types of interfaces without hardware. NetBox 4.6.8 dcim/constants.py. */
const VIRTUAL: ReadonlySet<string> = new Set(['virtual', 'lag', 'bridge'])
const CELLULAR: ReadonlySet<string> = new Set(['gsm', 'cdma', 'lte', '4g', '5g'])

export const isVirtual = (type: string): boolean => VIRTUAL.has(type)

export const isWireless = (type: string): boolean =>
  type.startsWith('ieee802.1') || type === 'other-wireless' || CELLULAR.has(type)

/** Frequency and width in MHz of a wireless channel, from the end of its name. */
export function channelOf(name: string): { readonly frequency: string; readonly width: string } {
  const [, , frequency = '', width = ''] = name.split('-')
  return { frequency, width }
}

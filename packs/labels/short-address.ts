/** Short addresses of objects: `/q/d7` is the device with the id 7, `/q/ipam.prefix-7` a prefix. */
const LETTERS = {
  c: 'dcim.cable',
  d: 'dcim.device',
  f: 'dcim.powerfeed',
  i: 'dcim.interface',
  l: 'dcim.location',
  m: 'dcim.module',
  p: 'dcim.powerpanel',
  r: 'dcim.rack',
  s: 'dcim.site',
}

const TYPE_OF = new Map(Object.entries(LETTERS))
const LETTER_OF = new Map(Object.entries(LETTERS).map(([letter, type]) => [type, letter]))

/** The part after `/q/`. */
export const shortAddress = (type: string, id: number): string => {
  const letter = LETTER_OF.get(type)
  return letter === undefined ? `${type}-${id}` : `${letter}${id}`
}

/** The object to which a short address leads; undefined for a text that is none. */
export function objectAt(address: string): { readonly type: string; readonly id: number } | undefined {
  const [, letter = '', long = '', digits = ''] =
    /^(?:([a-z])|([a-z0-9_]+\.[a-z0-9]+)-)([1-9]\d{0,15})$/.exec(address) ?? []
  const type = long === '' ? TYPE_OF.get(letter) : long
  return type === undefined || digits === '' ? undefined : { type, id: Number(digits) }
}

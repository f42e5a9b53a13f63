/** By which fields an observed object is known, and by which it is found in the inventory. */
import { keyOfObject, type Model, naturalKeys } from 'cadastre'

interface Keys {
  /** Fields that identify the object among those of its source. A field with `?` may be absent. */
  readonly identity: readonly string[]
  /** The keys by which it is looked for, in this order. A field with `?` is empty if it was not observed. */
  readonly keys: readonly (readonly string[])[]
  /** Where an object stands: two objects of one name at different places may be different ones. */
  readonly places?: readonly string[]
}

/** A key of all these fields, written as a sentence of words: `name cluster?`. */
const of = (identity: string, ...keys: readonly string[]): Keys => ({
  identity: identity.split(' '),
  keys: (keys.length > 0 ? keys : [identity]).map((key) => key.split(' ')),
})

/**
 * Diode's published keys, and serial numbers, which survive a move and a new name. The last keys of devices and virtual
 * machines are weak: see `isWeak`. All other types are found by their unique fields.
 */
const KEYS: Readonly<Record<string, Keys>> = {
  'dcim.device': {
    places: ['site'],
    ...of(
      'name site?',
      ...['asset_tag', 'serial', 'primary_ip4.address', 'primary_ip6.address', 'oob_ip.address'],
      ...['name site tenant', 'name site', 'rack position face', 'virtual_chassis vc_position', 'name'],
    ),
  },
  'dcim.devicetype': of(
    'manufacturer? model',
    ...['manufacturer model', 'manufacturer slug', 'manufacturer part_number', 'slug', 'model'],
  ),
  'dcim.interface': of('device name', 'device name', 'device primary_mac_address.mac_address'),
  'dcim.inventoryitem': of('device parent? name', 'asset_tag', 'serial device', 'device parent? name'),
  'dcim.location': of('site parent? name', 'site parent? name', 'site parent? slug'),
  'dcim.macaddress': of('mac_address assigned_object?'),
  'dcim.module': of('device module_bay', 'module_bay', 'asset_tag'),
  'dcim.modulebay': of('device module? name'),
  'dcim.moduletype': of('manufacturer? model', 'manufacturer model', 'model'),
  'dcim.platform': of('name', 'manufacturer name', 'name', 'slug'),
  'dcim.rack': of('site? location? name', 'asset_tag', 'location name', 'site name', 'location facility_id'),
  'dcim.virtualchassis': of('name'),
  'ipam.aggregate': of('prefix', 'prefix rir', 'prefix'),
  'ipam.fhrpgroup': of('group_id'),
  'ipam.ipaddress': of('address vrf?'),
  'ipam.iprange': of('start_address end_address vrf?'),
  'ipam.prefix': of('prefix vrf?'),
  'ipam.service': of('name parent'),
  'ipam.vlan': of(
    'vid group? site? qinq_svlan?',
    ...['group vid', 'group name', 'site vid', 'qinq_svlan vid', 'qinq_svlan name', 'vid group? site?'],
  ),
  'ipam.vlangroup': of('name scope?', 'scope name', 'scope slug', 'slug', 'name'),
  'ipam.vrf': of('name rd?', 'rd', 'name tenant', 'name tenant?'),
  'tenancy.contact': of('name'),
  'virtualization.cluster': of('name', 'group name', 'scope name', 'name'),
  'virtualization.virtualmachine': {
    places: ['cluster', 'device'],
    ...of(
      'name cluster? device?',
      ...['primary_ip4.address', 'primary_ip6.address', 'name cluster tenant', 'name cluster', 'name device', 'name'],
    ),
  },
}

/**
 * Whether the key is only the name of an object that is said to be at a certain place. If the place is a default of the
 * source, that says nothing.
 */
export const isWeak = (
  type: string,
  key: readonly string[],
  values: Readonly<Record<string, unknown>>,
  defaults: ReadonlySet<string>,
): boolean =>
  key.length === 1 &&
  key[0] === 'name' &&
  (KEYS[type]?.places ?? []).some((place) => values[place] !== undefined && !defaults.has(`${type}.${place}`))

/**
 * Fields that identify the object among those of its source: its id, those of the table, if it has their values, otherwise the
 * unique fields of the model. Undefined if it cannot be told from others.
 */
export function identityOf(model: Model, values: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  if (hasValue(values.id)) return ['id']
  const isPresent = (name: string) => name.endsWith('?') || hasValue(values[name])
  const declared = KEYS[model.name]
  if (declared?.identity.every(isPresent)) return declared.identity
  const strong = STRONG.find((name) => model.fields.has(name) && hasValue(values[name]))
  const unique = keyOfObject(model, values)
  if (unique && !declared) return unique.map((name) => (values[name] === undefined ? `${name}?` : name))
  if (strong !== undefined) return [strong]
  return !declared && hasValue(values.name) ? ['name'] : undefined
}

/** What identifies an object to be created, as a text; undefined if nothing does. */
export function identityText(model: Model, body: Readonly<Record<string, unknown>>): string | undefined {
  const names = identityOf(model, body)?.map((name) => name.replace('?', ''))
  return names && JSON.stringify(names.map((name) => [name, String(body[name] ?? '').toLowerCase()]))
}

/** Values that only one object has, wherever it is and whatever it is called. */
const STRONG = ['serial', 'asset_tag'] as const

/** The keys by which objects of the model are looked for. */
export const keysOf = (model: Model): readonly (readonly string[])[] =>
  KEYS[model.name]?.keys ?? [
    ...naturalKeys(model).map(({ fields, absent }) => [
      ...fields,
      ...absent.flatMap((name) => (fields.includes(name) ? [] : [`${name}?`])),
    ]),
    ...(model.fields.has('name') ? [['name']] : []),
  ]

export const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** Fields whose value names an object for people. */
const LABELS = ['name', 'model', 'address', 'prefix', 'mac_address', 'cid', 'asn', 'vid', 'start_address', 'group_id']

/** The name of an object for people. */
export const labelOf = (values: Readonly<Record<string, unknown>>): string =>
  String(LABELS.map((name) => values[name]).find((value) => hasValue(value) && typeof value !== 'object') ?? '').slice(
    0,
    255,
  )

/**
 * Texts by which observations that may be an object are found when the object is written: its name and its strong
 * values.
 */
export const searchTexts = (values: Readonly<Record<string, unknown>>): readonly string[] => [
  `=${labelOf(values).toLowerCase()}`,
  ...strongTexts(values),
]

/** The strong values as texts. */
export const strongTexts = (values: Readonly<Record<string, unknown>>): readonly string[] =>
  STRONG.flatMap((name) => (hasValue(values[name]) ? [`${name}=${String(values[name])}`] : []))

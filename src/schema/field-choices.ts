import { ConfigurationError } from '../base/errors.ts'
import { type ChoiceRow, type ChoiceSet, choices } from './choices.ts'
import type { Field, Fields } from './field.ts'
import type { FilterDeclaration } from './filter.ts'
import type { Definition } from './model.ts'

/** Choices by field: `dcim.Site.status` replaces those of the field, `dcim.Site.status+` extends them. */
export type ChoicesByField = Readonly<Record<string, readonly ChoiceRow<string>[]>>

/** Fields whose choices the configuration may change, because the service itself does not interpret their values. */
const CONFIGURABLE: readonly string[] = [
  'circuits.Circuit.status',
  'dcim.Device.status',
  'dcim.Location.status',
  'dcim.Module.status',
  'dcim.PowerFeed.status',
  'dcim.Rack.status',
  'dcim.Site.status',
  'dcim.VirtualDeviceContext.status',
  'extras.JournalEntry.kind',
  'ipam.IPAddress.status',
  'ipam.IPRange.status',
  'ipam.Prefix.status',
  'ipam.VLAN.status',
  'virtualization.Cluster.status',
  'virtualization.VirtualMachine.status',
  'vpn.Tunnel.status',
  'wireless.WirelessLAN.status',
]

/**
 * The definitions with the configured choices, wherever a field or filter uses the set. If a field's default is no
 * longer among its choices, the first choice becomes its default. Throws ConfigurationError for a field that cannot be
 * configured, and for a duplicate value.
 */
export function withFieldChoices(
  definitions: readonly Definition[],
  configured: ChoicesByField,
): readonly Definition[] {
  const replaced = new Map<ChoiceSet, ChoiceSet>()
  for (const [key, rows] of Object.entries(configured)) {
    const set = configurableSet(definitions, key.replace(/\+$/, ''))
    const before = replaced.get(set) ?? set
    replaced.set(set, configuredSet(key, key.endsWith('+') ? before.list : [], rows))
  }
  if (replaced.size === 0) return definitions
  return definitions.map((definition) => replacedIn(definition, replaced))
}

function configurableSet(definitions: readonly Definition[], key: string): ChoiceSet {
  const configurable = CONFIGURABLE.find((name) => name.toLowerCase() === key.toLowerCase())
  const [app = '', model = '', name = ''] = configurable?.toLowerCase().split('.') ?? []
  const definition = definitions.find((candidate) => candidate.name === `${app}.${model}`)
  const field = definition?.fields[name]
  if (field?.kind === 'choice') return field.choices
  throw new ConfigurationError(
    `FIELD_CHOICES: the choices of ${key} cannot be configured; those of these fields can: ${CONFIGURABLE.join(', ')}.`,
  )
}

function configuredSet(key: string, before: ChoiceSet['list'], rows: readonly ChoiceRow<string>[]): ChoiceSet {
  const kept = before.map(({ value, label, colour }): ChoiceRow<string> => {
    const text = String(value) // the values of configurable fields are texts
    return colour === undefined ? [text, label] : [text, label, colour]
  })
  try {
    return choices([...kept, ...rows])
  } catch {
    throw new ConfigurationError(`FIELD_CHOICES: ${key} has a value twice.`)
  }
}

type Replaced = ReadonlyMap<ChoiceSet, ChoiceSet>

function replacedIn(definition: Definition, replaced: Replaced): Definition {
  const fields: Fields = Object.fromEntries(
    Object.entries(definition.fields).map(([name, field]) => [name, fieldWith(field, replaced)]),
  )
  const filters = Object.entries(definition.filters ?? {}).map(
    ([name, filter]) => [name, filter && filterWith(filter, replaced)] as const,
  )
  return Object.freeze({
    ...definition,
    fields,
    ...(definition.filters && { filters: Object.fromEntries(filters) }),
  })
}

function fieldWith(field: Field, replaced: Replaced): Field {
  if (field.kind !== 'choice') return field
  const set = replaced.get(field.choices)
  if (set === undefined) return field
  const isDefaultGone = field.default !== undefined && !set.labels.has(field.default as string | number) // a value of the field
  return Object.freeze({
    ...field,
    choices: set,
    ...(isDefaultGone && { default: set.list[0]?.value }),
  })
}

function filterWith(filter: FilterDeclaration, replaced: Replaced): FilterDeclaration {
  if (!('choices' in filter) || filter.choices === undefined) return filter
  const set = replaced.get(filter.choices)
  return set === undefined ? filter : { ...filter, choices: set }
}

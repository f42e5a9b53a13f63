/** Names of NetBox's GraphQL schema that do not follow from its rules for names. */

/** Unions of the objects that computed fields list, by the field's name. */
export const OBJECT_LIST_UNIONS: Readonly<Record<string, string>> = {
  a_terminations: 'CableTerminationTerminationType',
  b_terminations: 'CableTerminationTerminationType',
  connected_endpoints: 'ConnectedEndpointType',
  link_peers: 'LinkPeerType',
}

/** Decimals that are compared by the lookups themselves, not by a choice of three kinds of lookups. */
export const PLAIN_DECIMALS: ReadonlySet<string> = new Set(['distance', 'weight'])

/** Colours that filters name: `COLOR_AA1409`. Other colours can be stored, but no filter finds them. */
export const COLOURS: readonly string[] = [
  ...['aa1409', 'f44336', 'e91e63', 'ffe4e1', 'ff66ff', '9c27b0', '673ab7', '3f51b5'],
  ...['2196f3', '03a9f4', '00bcd4', '009688', '00ffff', '2f6a31', '4caf50', '8bc34a'],
  ...['cddc39', 'ffeb3b', 'ffc107', 'ff9800', 'ff5722', '795548', 'c0c0c0', '9e9e9e'],
  ...['607d8b', '111111', 'ffffff'],
]

/** Counts that are compared by size; other counts are compared like texts. */
export const ORDERED_COUNTS: ReadonlySet<string> = new Set([
  'device_count',
  'module_count',
  'rack_count',
  'virtual_machine_count',
])

import type { Messages } from '../../errors.ts'
import { isJsonObject } from '../../schema/json.ts'

/** Side of a pass-through port. */
export type PortSide = 'front' | 'rear'
export const OPPOSITE = { front: 'rear', rear: 'front' } as const

/** A link from a position of a port to a position of a port on the other side. */
export interface PortLink {
  readonly position: number
  /** Id of the port on the other side. */
  readonly port: number
  readonly portPosition: number
}

const LAST_POSITION = 1024
const REQUIRED = ['This field is required.']

/** Parses the links of a body for a port of the side. */
export const readPortLinks =
  (side: PortSide) =>
  (input: unknown): { readonly value: readonly PortLink[] } | { readonly refused: Messages } => {
    if (input === null) return { refused: ['This field may not be null.'] }
    if (!Array.isArray(input)) return { refused: { non_field_errors: ['Expected a list.'] } }
    const read = input.map((item: unknown) => readLink(OPPOSITE[side], item))
    if (read.some((each) => 'refused' in each)) {
      return { refused: read.map((each) => ('refused' in each ? each.refused : {})) }
    }
    return { value: read.flatMap((each) => ('value' in each ? each.value : [])) }
  }

function readLink(
  other: PortSide,
  item: unknown,
): { readonly value: PortLink } | { readonly refused: Messages } {
  if (!isJsonObject(item)) return { refused: { non_field_errors: ['Expected an object.'] } }
  const name = `${other}_port`
  const { position, [name]: port, [`${name}_position`]: portPosition = 1 } = item
  const refused = {
    ...complaint('position', position, LAST_POSITION),
    ...complaint(name, port, Number.MAX_SAFE_INTEGER),
    ...complaint(`${name}_position`, portPosition, LAST_POSITION),
  }
  if (Object.keys(refused).length > 0) return { refused }
  return {
    value: {
      position: Number(position),
      port: Number(port),
      portPosition: Number(portPosition),
    },
  }
}

function complaint(name: string, value: unknown, most: number): Record<string, Messages> {
  if (value === undefined) return { [name]: REQUIRED }
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  if (!Number.isInteger(number)) return { [name]: ['A valid integer is required.'] }
  return Number(number) >= 1 && Number(number) <= most
    ? {}
    : { [name]: [`Must lie between 1 and ${most}.`] }
}

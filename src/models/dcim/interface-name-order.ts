import { text } from '../../schema/field.ts'
import { firstCharacters } from '../../schema/shortened.ts'

// Interface names are ordered by the hardware position that they contain: `Gi1/0/2:1.100` is slot 1, subslot 0, id 2,
// channel 1, virtual circuit 100. The key is compared byte by byte (collation C).

const NAME =
  /^(?<prefix>[^\d.:]+)?(?:(?<slot>\d+)\/)?(?:(?<subslot>\d+)\/)?(?:(?<position>\d+)\/)?(?:(?<subposition>\d+)\/)?(?<id>\d+)?(?::(?<channel>\d+))?(?:\.(?<circuit>\d+))?(?<rest>.*)$/s
const LONGEST_KEY = 100

const place = (digits: string | undefined): string => digits?.padStart(4, '0') ?? '9999'
const number = (digits: string | undefined): string => digits?.padStart(6, '0') ?? '......'

/** Sort key of an interface name, at most 100 characters. */
export function interfaceNameOrder(name: string): string {
  const parts = NAME.exec(name)?.groups
  if (!parts) return firstCharacters(name, LONGEST_KEY)
  const { slot, subslot, position, subposition, prefix = '', id, channel, circuit, rest } = parts
  const key = [
    place(slot),
    place(subslot),
    place(position),
    place(subposition),
    prefix,
    number(id),
    number(channel),
    number(circuit),
    (rest ?? '').replaceAll(/\d+/g, (digits) => digits.padStart(8, '0')),
  ]
  return firstCharacters(key.join(''), LONGEST_KEY)
}

/** Hidden field by which interfaces are sorted. */
export const storedNameOrder = text({
  max: 100,
  default: '',
  hidden: true,
  compute: (row) => interfaceNameOrder(String(row.name)),
})

import { REQUIRED } from '../../schema/outcome.ts'
import type { Refusal } from '../../schema/rule.ts'

interface Ports {
  readonly port_mappings: readonly string[]
  readonly protocol: 'tcp' | 'udp' | 'sctp' | null
  readonly ports: readonly number[] | null
}
interface PortChange {
  readonly next: Ports
  readonly previous: object | undefined
  readonly sent: ReadonlySet<string>
}

const repeated = (items: readonly unknown[]): boolean => new Set(items).size < items.length

const mappingsOf = ({ protocol, ports }: Ports): readonly string[] => (ports ?? []).map((port) => `${protocol}/${port}`)

/** Whether the body has a protocol or ports, instead of mappings or in addition to them. */
const hasPair = ({ next, sent }: PortChange): boolean =>
  (sent.has('protocol') && next.protocol !== null) || (sent.has('ports') && next.ports !== null)

/** Refuses bodies that repeat a port, or whose two forms contradict each other. */
export function portsAreClear(change: PortChange): Refusal | undefined {
  const { next, previous, sent } = change
  const isMapped = sent.has('port_mappings')
  if (isMapped && repeated(next.port_mappings)) return { port_mappings: 'A port mapping must not be repeated.' }
  if (!hasPair(change)) {
    if (isMapped || (previous && !sent.has('protocol') && !sent.has('ports'))) return undefined
    return { port_mappings: REQUIRED }
  }
  if (sent.has('ports') && repeated(next.ports ?? [])) return { ports: 'A port must not be repeated.' }
  if (isMapped && !(sent.has('protocol') && sent.has('ports'))) return undefined
  if (next.protocol === null || next.ports === null)
    return { __all__: 'Enter both protocol and ports, or port mappings.' }
  const isSame = mappingsOf(next).toSorted().join() === next.port_mappings.toSorted().join()
  return isMapped && !isSame ? { __all__: 'Port mappings, protocol and ports contradict each other.' } : undefined
}

/** Sets the mappings from protocol and ports, or the other way round. */
export const settlePorts = (change: PortChange): Ports | undefined => {
  const { next, sent } = change
  const mappings = !sent.has('port_mappings') && hasPair(change) ? mappingsOf(next) : next.port_mappings
  const pairs = mappings.map((mapping) => mapping.split('/'))
  // Each mapping begins with one of the choices.
  const protocols = new Set(pairs.map(([protocol]) => protocol as Ports['protocol']))
  const [protocol = null] = protocols
  if (protocols.size !== 1) return { port_mappings: mappings, protocol: null, ports: null }
  const ports = pairs.map(([, port]) => Number(port))
  return { port_mappings: mappings, protocol, ports }
}

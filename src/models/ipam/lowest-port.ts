/** The lowest of a service's ports, which determines the order of services. */
export const lowestPort = (ports: unknown): number | null =>
  Array.isArray(ports) && ports.length > 0 ? Math.min(...ports.map(Number)) : null

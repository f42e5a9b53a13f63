/** The first of a service's ports in order, by which services are listed. */
export const lowestPort = (ports: unknown): number | null =>
  Array.isArray(ports) && ports.length > 0 ? Math.min(...ports.map(Number)) : null

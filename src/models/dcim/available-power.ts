type Row = Readonly<Record<string, unknown>>

/** Phases of a three-phase feed add up to this factor: the square root of three. */
const THREE_PHASES = 1.732

/** Power in watts that a feed may be asked for: voltage times amperage, within its maximum utilization. */
export function availablePower(row: Row): number {
  const volts = Math.abs(Number(row.voltage))
  const single = volts * Number(row.amperage) * (Number(row.max_utilization) / 100)
  return roundToEven(row.phase === 'three-phase' ? single * THREE_PHASES : single)
}

/** Halves go to the even neighbour, as in the reference. */
function roundToEven(value: number): number {
  const low = Math.floor(value)
  if (value - low !== 0.5) return Math.round(value)
  return low % 2 === 0 ? low : low + 1
}

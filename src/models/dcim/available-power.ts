type Row = Readonly<Record<string, unknown>>

/** Factor of a three-phase feed: the square root of three. */
const THREE_PHASES = 1.732

/** Available power of a feed in watts: voltage times amperage, times its maximum utilization. */
export function availablePower(row: Row): number {
  const volts = Math.abs(Number(row.voltage))
  const single = volts * Number(row.amperage) * (Number(row.max_utilization) / 100)
  return roundToEven(row.phase === 'three-phase' ? single * THREE_PHASES : single)
}

/** Rounds halves to the even neighbour, as in the reference. */
function roundToEven(value: number): number {
  const low = Math.floor(value)
  if (value - low !== 0.5) return Math.round(value)
  return low % 2 === 0 ? low : low + 1
}

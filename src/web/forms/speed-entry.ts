/** Units of speeds, each a thousand times the one before; Kbps is the unit of the API. */
const UNITS = ['Kbps', 'Mbps', 'Gbps', 'Tbps'] as const

/** A speed in Kbps as the text of a form, in the largest unit in which it has at most three decimals: `2.5 Gbps`. */
export function speedEntry(kbps: string): string {
  const value = Number(kbps)
  if (kbps === '' || !Number.isSafeInteger(value) || value <= 0) return kbps
  const power = UNITS.findLastIndex(
    (_, index) => index === 0 || (value >= 1000 ** index && value % 1000 ** (index - 1) === 0),
  )
  return `${value / 1000 ** power} ${UNITS[power]}`
}

/** The number of Kbps in an entered speed; other texts are returned unchanged, so that the API refuses them. */
export function kbpsIn(text: string): string {
  const [, number = '', prefix] = /^\s*([\d.]+)\s*([kmgt])(?:bit\/s|bps|b)?\s*$/i.exec(text) ?? []
  if (prefix === undefined || !/^\d+(\.\d+)?$/.test(number)) return text
  return String(Math.round(Number(number) * 1000 ** 'kmgt'.indexOf(prefix.toLowerCase())))
}

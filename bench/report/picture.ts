import { figure } from './number-format.ts'

/** A bar of the chart, with a second bar if there is a value to compare with. */
export interface Bar {
  readonly name: string
  readonly ours: number
  readonly reference?: number
}

const WIDTH = 900
const LABELS = 290
const NUMBERS = 80
const ROW = 30
const TOP = 40
const OURS = '#2a78c8'
const REFERENCE = '#c9822b'
const TEXT = '#7a7f87'

/** SVG document with horizontal bars of requests per second on a logarithmic scale. */
export function barPicture(title: string, bars: readonly Bar[]): string {
  const values = bars.flatMap(({ ours, reference }) => [ours, reference ?? ours])
  const least = 10 ** Math.floor(Math.log10(Math.min(...values, 1)))
  const most = 10 ** Math.ceil(Math.log10(Math.max(...values, 10)))
  const length = (value: number) =>
    ((WIDTH - LABELS - NUMBERS) * Math.log(value / least)) / Math.log(most / least)
  const bar = (value: number, y: number, colour: string) => {
    const long = Math.max(1, length(value)).toFixed(1)
    const end = (LABELS + Number(long) + 6).toFixed(1)
    return `<rect x="${LABELS}" y="${y}" width="${long}" height="9" rx="2" fill="${colour}"/><text x="${end}" y="${y + 8}" font-size="10">${figure(value)}</text>`
  }
  const rows = bars.map(({ name, ours, reference }, index) => {
    const y = TOP + index * ROW
    const label = `<text x="${LABELS - 10}" y="${y + 14}" text-anchor="end">${escaped(name)}</text>`
    const second = reference === undefined ? '' : bar(reference, y + 13, REFERENCE)
    return label + bar(ours, y + 2, OURS) + second
  })
  const height = TOP + bars.length * ROW + 10
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="${TEXT}">
<title>${escaped(title)}</title>
<text x="0" y="18" font-size="14">${escaped(title)}</text>
${rows.join('\n')}
</svg>
`
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A number with three significant digits and thousands separators; empty for null. */
export function figure(value: number | null): string {
  if (value === null) return ''
  const size = Math.abs(value)
  const digits = size >= 100 || value === 0 ? 0 : size >= 10 ? 1 : 2
  return value.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

export const percent = (share: number): string => `${figure(share * 100)} %`

/** A Markdown table; the first column is text, the others are numbers. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'))
  return [line(head), `|${rule.join('|')}|`, ...rows.map(line)].join('\n')
}

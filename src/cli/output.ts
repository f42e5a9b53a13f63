/** The option of commands whose result programs read. */
export const JSON_OPTION = ['--json', 'print the result as JSON'] as const

/** Prints a result as JSON. */
export const printJson = (result: unknown): void => console.log(JSON.stringify(result, null, 2))

/** Prints rows below their headings, in columns as wide as their longest value. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, ...rows.map((row) => (row[index] ?? '').length)),
  )
  for (const row of [headings, ...rows]) {
    console.log(
      row
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
}

/** An error in one line, as the API shows errors of jobs: `TypeError('x is not a function')`. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return quoted(String(error))
  return `${error.name}(${error.message === '' ? '' : quoted(error.message)})`
}

/** Single quotes, or double quotes around a text that contains only single quotes. */
function quoted(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll(mark, `\\${mark}`)
  return `${mark}${escaped}${mark}`
}

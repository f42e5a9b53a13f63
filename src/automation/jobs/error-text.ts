/**
 * An error in one line, as the API shows errors of jobs: `TypeError('x is not a function')`; an error of a script in
 * Python as Python writes it (`repr`).
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return quoted(String(error))
  if ('repr' in error) return String(error.repr)
  return `${error.name}(${error.message === '' ? '' : quoted(error.message)})`
}

/**
 * What the job's log says of the error that ended it: the stack of a script, as in NetBox; otherwise without the stack,
 * which contains paths of this machine (the service's own log has it).
 */
export const loggedText = (error: unknown): string =>
  error instanceof Error && 'isOfScript' in error && error.stack ? error.stack : errorText(error)

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

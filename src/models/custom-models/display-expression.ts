/** A part of the name of an object: a text, or the value of a field. */
export type DisplayPart = { readonly text: string } | { readonly field: string }

/** The parts of a display expression: texts, and fields in double braces. */
export const displayParts = (expression: string): readonly DisplayPart[] =>
  expression
    .split(/(\{\{\s*\w+\s*\}\})/)
    .filter((part) => part !== '')
    .map((part) => {
      const field = /^\{\{\s*(\w+)\s*\}\}$/.exec(part)?.[1]
      return field === undefined ? { text: part } : { field }
    })

/** Whether the expression has the form that `displayParts` reads. */
export const isDisplayExpression = (expression: string): boolean =>
  displayParts(expression).every((part) => 'field' in part || !/[{}]/.test(part.text))

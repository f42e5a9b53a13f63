/**
 * The page with texts in the place of its marks, each of which stands once at most. All are filled in one pass: every pass
 * copies the whole page.
 */
export function fillMarks(page: string, texts: ReadonlyMap<string, string>): string {
  const places = [...texts]
    .map(([mark, text]) => ({ mark, text, start: page.indexOf(mark) }))
    .filter(({ start }) => start >= 0)
    .sort((some, other) => some.start - other.start)
  let filled = ''
  let end = 0
  for (const { mark, text, start } of places) {
    filled += page.slice(end, start) + text
    end = start + mark.length
  }
  return filled + page.slice(end)
}

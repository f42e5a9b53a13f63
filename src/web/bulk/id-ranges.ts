/** Ids as a short text: `1-3,7`. */
export function idRanges(ids: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const range = ranges.at(-1)
    if (range && range[1] === id - 1) range[1] = id
    else ranges.push([id, id])
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',')
}

/** The ids in such a text, up to a maximum; none for other texts. */
export function parseIdRanges(text: string, most: number): readonly number[] {
  const ids: number[] = []
  for (const [, first = '', last = first] of text.matchAll(/(?:^|,)(\d{1,15})(?:-(\d{1,15}))?(?=,|$)/g)) {
    for (let id = Number(first); id <= Number(last) && ids.length < most; id++) ids.push(id)
  }
  return ids
}

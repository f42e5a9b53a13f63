/** A value that can be changed where it stands. */
export interface InlineValue {
  /** The cell or the value of the panel. */
  readonly place: HTMLElement
  /** Name of the field. */
  readonly name: string
  /** Address of the form of its object. */
  readonly form: string
}

/** The value at an element of a list, if the user may change it. */
export function inlineCell(target: EventTarget | null): InlineValue | undefined {
  const cell = target instanceof Element ? target.closest<HTMLTableCellElement>('.in-list tbody td') : null
  const row = cell?.closest('tr')
  if (!cell || !row) return undefined
  const name = cell.closest('table')?.tHead?.rows[0]?.cells[cell.cellIndex]?.dataset.inline
  const form = row.querySelector<HTMLAnchorElement>('.row-actions a[data-edits]')?.href
  return name === undefined || form === undefined ? undefined : { place: cell, name, form }
}

/** The cells of a row whose values the user may change. */
export const inlineCellsOf = (row: HTMLElement): readonly HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>('td')].filter((cell) => inlineCell(cell) !== undefined)

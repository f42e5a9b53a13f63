/** Texts of the grids in which objects are edited. */
export const GRID_TEXTS = [
  'Grid',
  'Changed meanwhile to “{value}”.',
  'Back to the list',
  'A cell contains what it would in an import: related objects by their names, choices by their values. All changed cells are saved together, or none.',
  'Enter and the arrow keys move between rows, Ctrl+D or “Fill down” fills the cells below, and cells of a spreadsheet can be pasted.',
] as const

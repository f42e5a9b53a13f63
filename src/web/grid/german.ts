/** Texts of the grids in which objects are edited. */
export const germanGrid = {
  Grid: 'Tabelle bearbeiten',
  'Changed meanwhile to “{value}”.': 'Inzwischen geändert in „{value}“.',
  'Back to the list': 'Zurück zur Liste',
  'A cell contains what it would in an import: related objects by their names, choices by their values. All changed cells are saved together, or none.':
    'Eine Zelle enthält dasselbe wie beim Import: zugehörige Objekte mit ihrem Namen, Auswahlen mit ihrem Wert. Alle geänderten Zellen werden zusammen gespeichert, oder keine.',
  'Enter and the arrow keys move between rows, Ctrl+D or “Fill down” fills the cells below, and cells of a spreadsheet can be pasted.':
    'Eingabe- und Pfeiltasten bewegen zwischen Zeilen, Strg+D oder „Nach unten ausfüllen“ füllt die Zellen darunter, und Zellen einer Tabellenkalkulation lassen sich einfügen.',
}

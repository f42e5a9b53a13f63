/** Texts of imports. */
export const germanImports = {
  Change: 'Ändern',
  'Change existing objects': 'Vorhandene Objekte ändern',
  Column: 'Spalte',
  'Columns of the text': 'Spalten des Textes',
  Comma: 'Komma',
  Create: 'Anlegen',
  'CSV with a header, JSON or YAML': 'CSV mit Kopfzeile, JSON oder YAML',
  'custom field, {type}': 'benutzerdefiniertes Feld, {type}',
  'Delimiter of CSV': 'CSV-Trennzeichen',
  Detect: 'Erkennen',
  'Download an empty file': 'Leere Datei herunterladen',
  Effect: 'Wirkung',
  'For example: {values}': 'Zum Beispiel: {values}',
  'for new objects': 'für neue Objekte',
  Format: 'Format',
  'Import {count} row|Import {count} rows': '{count} Zeile importieren|{count} Zeilen importieren',
  'Import {objects}': '{objects} importieren',
  'Leave out': 'Weglassen',
  'list of {objects} (JSON and YAML)': 'Liste: {objects} (JSON und YAML)',
  'Ignored keys: {keys}': 'Nicht berücksichtigte Schlüssel: {keys}',
  'Nothing was imported.': 'Es wurde nichts importiert.',
  'number of an existing object, to change it': 'Nummer eines vorhandenen Objekts, um es zu ändern',
  'object by its name': 'Objekt, nach seinem Namen',
  'Or a file': 'Oder eine Datei',
  'Or a file of a data source': 'Oder eine Datei einer Datenquelle',
  Refused: 'Abgelehnt',
  Required: 'Pflicht',
  Row: 'Zeile',
  'Rows without an id change the object with the same unique values':
    'Zeilen ohne ID ändern das Objekt mit denselben eindeutigen Werten',
  Semicolon: 'Semikolon',
  'Some headers are no columns of this import. Choose what they are.':
    'Einige Überschriften sind keine Spalten dieses Imports. Bitte zuordnen.',
  Tab: 'Tabulator',
  'text for the change record': 'Text für das Änderungsprotokoll',
  'The columns of a CSV file, required ones first.':
    'Die Spalten einer CSV-Datei, Pflichtspalten zuerst.',
  'The file is no text in UTF-8.': 'Die Datei ist kein Text in UTF-8.',
  'The text': 'Der Text',
  'There is no such data file.': 'Diese Datei gibt es nicht.',
  'true or false': 'true oder false',
  '{count} more row is not shown.|{count} more rows are not shown.':
    '{count} weitere Zeile wird nicht gezeigt.|{count} weitere Zeilen werden nicht gezeigt.',
  '{count} row without a problem is not shown.|{count} rows without a problem are not shown.':
    '{count} Zeile ohne Fehler wird nicht gezeigt.|{count} Zeilen ohne Fehler werden nicht gezeigt.',
  '{count} row is refused.|{count} rows are refused.':
    '{count} Zeile wurde abgelehnt.|{count} Zeilen wurden abgelehnt.',
  '{count} row: {created} to create, {changed} to change, {unchanged} without a change, {refused} refused.|{count} rows: {created} to create, {changed} to change, {unchanged} without a change, {refused} refused.':
    '{count} Zeile: {created} anzulegen, {changed} zu ändern, {unchanged} unverändert, {refused} abgelehnt.|{count} Zeilen: {created} anzulegen, {changed} zu ändern, {unchanged} unverändert, {refused} abgelehnt.',
  '{models} by their {field}, separated by commas': '{models}, nach {field}, durch Kommas getrennt',
  '{model} by its {field}': '{model}, nach {field}',
}

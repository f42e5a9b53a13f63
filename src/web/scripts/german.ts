/** Texts of scripts and their jobs. */
export const germanScripts = {
  Always: 'Immer',
  'Empty: at once': 'Leer: sofort',
  Execution: 'Ausführung',
  'Notify me': 'Benachrichtigen',
  'On failure': 'Bei einem Fehler',
  Output: 'Ausgabe',
  'Repeat every … minutes': 'Alle … Minuten wiederholen',
  Run: 'Ausführen',
  'Run at (UTC)': 'Ausführen um (UTC)',
  'Run script': 'Skript ausführen',
  'Save the changes': 'Änderungen speichern',
  'Stop the job': 'Auftrag abbrechen',
  'The file of the script cannot be loaded, or this service cannot run it.':
    'Die Datei des Skripts kann nicht geladen werden, oder dieser Dienst kann sie nicht ausführen.',
  'The job was stopped.': 'Der Auftrag wurde abgebrochen.',
  'This page follows the job until it has ended.':
    'Diese Seite folgt dem Auftrag bis zu seinem Ende.',
  Variables: 'Variablen',
  'Without this, the script is carried out and its changes are rolled back.':
    'Ohne dies wird das Skript ausgeführt, und seine Änderungen werden zurückgenommen.',
}

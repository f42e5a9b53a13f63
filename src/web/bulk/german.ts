/** Texts of pages that change, rename or delete several objects. */
export const germanBulk = {
  'Add tags': 'Tags hinzufügen',
  'All {count} on this page': 'Alle {count} auf dieser Seite',
  'All {count} that match': 'Alle {count} passenden',
  'and other records that are not listed here':
    'und weitere Einträge, die hier nicht gezeigt werden',
  'Change log': 'Änderungsprotokoll',
  'Delete {count} object: {list}|Delete {count} objects: {list}':
    '{count} Objekt löschen: {list}|{count} Objekte löschen: {list}',
  'Delete {count} {objects}': '{count} {objects} löschen',
  'Edit {count} object: {list}|Edit {count} objects: {list}':
    '{count} Objekt bearbeiten: {list}|{count} Objekte bearbeiten: {list}',
  'Enter what to find.': 'Der Suchtext fehlt.',
  'Fields that stay empty are not changed.': 'Leere Felder werden nicht geändert.',
  'Fill in what is to be changed.': 'Mindestens ein Feld muss ausgefüllt sein.',
  Find: 'Suchen',
  'Groups of the expression are inserted by \\1, \\2 …':
    'Gruppen des Ausdrucks werden mit \\1, \\2 … eingefügt.',
  New: 'Neu',
  'No change': 'Keine Änderung',
  Now: 'Jetzt',
  'Other records that are not listed here': 'Weitere Einträge, die hier nicht gezeigt werden',
  'Regular expression': 'Regulärer Ausdruck',
  'Remove tags': 'Tags entfernen',
  'Rename {count}': '{count} umbenennen',
  'Rename {count} object: {list}|Rename {count} objects: {list}':
    '{count} Objekt umbenennen: {list}|{count} Objekte umbenennen: {list}',
  'Replace with': 'Ersetzen durch',
  'Set to empty': 'Leeren',
  'These depend on them and will be deleted too:': 'Davon hängen ab und werden auch gelöscht:',
  'These refer to them and lose the reference:': 'Darauf verweisen und verlieren den Verweis:',
  'This deletes {name}.': 'Gelöscht wird {name}.',
  'This is not a regular expression that can be used here.':
    'Dieser reguläre Ausdruck kann hier nicht verwendet werden.',
  'What happens': 'Folgen',
  'Why these are deleted, for the change log.': 'Grund der Löschung, für das Änderungsprotokoll.',
  'Why this is deleted, for the change log.': 'Grund der Löschung, für das Änderungsprotokoll.',
  '{changed} of {total} names change.': '{changed} von {total} Namen ändern sich.',
  '{count} more object was refused.|{count} more objects were refused.':
    '{count} weiteres Objekt wurde abgelehnt.|{count} weitere Objekte wurden abgelehnt.',
  '{count} selected': '{count} ausgewählt',
  '{count} selected object is left out: you may not change it, or it no longer exists.|{count} selected objects are left out: you may not change them, or they no longer exist.':
    '{count} ausgewähltes Objekt wird ausgelassen: die Berechtigung fehlt, oder es existiert nicht mehr.|{count} ausgewählte Objekte werden ausgelassen: die Berechtigung fehlt, oder sie existieren nicht mehr.',
  '{count} {objects} will be deleted. This cannot be undone.':
    '{count} {objects} werden gelöscht. Das kann nicht rückgängig gemacht werden.',
  'Add components': 'Komponenten hinzufügen',
  Component: 'Komponente',
  Disconnect: 'Verbindung trennen',
  'Add components to {count} object: {list}|Add components to {count} objects: {list}':
    'Komponenten zu {count} Objekt hinzufügen: {list}|Komponenten zu {count} Objekten hinzufügen: {list}',
  'Disconnect {count} object: {list}|Disconnect {count} objects: {list}':
    '{count} Objekt trennen: {list}|{count} Objekte trennen: {list}',
  'Synchronise {count} object: {list}|Synchronise {count} objects: {list}':
    '{count} Objekt synchronisieren: {list}|{count} Objekte synchronisieren: {list}',
  'None of these is connected by a cable.': 'Keines davon ist durch ein Kabel verbunden.',
  '{count} cable will be deleted. The change log can undo this.|{count} cables will be deleted. The change log can undo this.':
    '{count} Kabel wird gelöscht. Das Änderungsprotokoll kann das rückgängig machen.|{count} Kabel werden gelöscht. Das Änderungsprotokoll kann das rückgängig machen.',
  '{count} {objects} will be deleted. The change log can undo this.':
    '{count} {objects} werden gelöscht. Das Änderungsprotokoll kann das rückgängig machen.',
  'Delete {count} cable|Delete {count} cables': '{count} Kabel löschen|{count} Kabel löschen',
  'As a background job': 'Als Hintergrundauftrag',
  'You need not wait for the end; the page of the job shows it.':
    'Das Ende muss nicht abgewartet werden; die Seite des Auftrags zeigt es.',
  'Remove {field}': '{field} entfernen',
}

/** Texts of forms of objects. */
export const germanForms = {
  'A pattern creates several: eth[0-47], port[A-D], [1,3,5].':
    'Ein Muster legt mehrere an: eth[0-47], port[A-D], [1,3,5].',
  'Add a new {model}': '{model} neu anlegen',
  'Another user changed this object while the form was open. Nothing was saved yet.':
    'Dieses Objekt wurde inzwischen von jemand anderem geändert. Es wurde noch nichts gespeichert.',
  Before: 'Vorher',
  both: 'beide',
  'Changelog message': 'Änderungsnotiz',
  'Choose a type first': 'Zuerst einen Typ wählen',
  'Choose object types first.': 'Zuerst Objekttypen wählen.',
  'Constraints are a JSON object of conditions, or a list of such objects.':
    'Einschränkungen sind ein JSON-Objekt mit Bedingungen oder eine Liste solcher Objekte.',
  'Copy the token now: it is shown only this once.':
    'Das Token jetzt kopieren: es wird nur dieses eine Mal gezeigt.',
  'Create and add another': 'Anlegen und weiteres hinzufügen',
  'Create {model}': '{model} anlegen',
  'Fields that differ': 'Unterschiedliche Felder',
  'Go to the token': 'Zum Token',
  JSON: 'JSON',
  'Made from the name while it is empty.': 'Entsteht aus dem Namen, solange das Feld leer ist.',
  More: 'Weiteres',
  'Narrows the choice below.': 'Schränkt die Auswahl darunter ein.',
  'no objects.': 'keine Objekte.',
  'None available': 'Keine verfügbar',
  'not changed': 'nicht geändert',
  'Nothing matches “{words}”.': 'Nichts passt zu „{words}“.',
  'Now, by another user': 'Jetzt, von jemand anderem',
  'Numbers and ranges, such as 1-8,10': 'Zahlen und Bereiche, etwa 1-8,10',
  'One on each line, with its label after a colon':
    'Je Zeile eines, mit der Bezeichnung nach einem Doppelpunkt',
  'A name, a colon and a value on each line': 'Je Zeile ein Name, ein Doppelpunkt und ein Wert',
  'Write ranges of numbers, such as 1-100,200.': 'Zahlenbereiche angeben, etwa 1-100,200.',
  'Write a name, a colon and a value on each line.':
    'Je Zeile einen Namen, einen Doppelpunkt und einen Wert angeben.',
  '{count} positions cannot be divided among {names} objects.':
    '{count} Positionen lassen sich nicht auf {names} Objekte verteilen.',
  'One match for “{words}”.|{count} matches for “{words}”: choose one.':
    'Ein Treffer für „{words}“.|{count} Treffer für „{words}“: bitte wählen.',
  'One per line': 'Einer pro Zeile',
  'Remove it': 'Entfernen',
  required: 'Pflichtfeld',
  'Save mine': 'Meine speichern',
  'Saving yours writes only the fields that you changed; all others stay as they are now.':
    'Gespeichert werden nur die selbst geänderten Felder; alle anderen bleiben, wie sie jetzt sind.',
  'Show matching objects': 'Passende Objekte zeigen',
  'Stored: {file}': 'Gespeichert: {file}',
  'Take theirs': 'Deren Stand übernehmen',
  'Take theirs and go on editing': 'Deren Stand übernehmen und weiter bearbeiten',
  '{count} problem: {fields}|{count} problems: {fields}':
    '{count} Fehler: {fields}|{count} Fehler: {fields}',
  'Undone.': 'Rückgängig gemacht.',
  'The changes were saved.': 'Die Änderungen wurden gespeichert.',
  'Write a pattern as [1-8] or [a-f], from the lower end to the higher, for at most {count} values.':
    'Muster haben die Form [1-8] oder [a-f], vom niedrigeren Ende zum höheren, für höchstens {count} Werte.',
  'The pattern stands for {count} values, that of the name for {names}.':
    'Das Muster steht für {count} Werte, das des Namens für {names}.',
  'The {model} was deleted.': 'Gelöscht: {model}.',
  '{count} {objects} created.': '{count} {objects} angelegt.',
  '{count} {objects} changed.': '{count} {objects} geändert.',
  '{count} {objects} renamed.': '{count} {objects} umbenannt.',
  '{count} {objects} deleted.': '{count} {objects} gelöscht.',
  '{count} {objects} imported.': '{count} {objects} importiert.',
  '{count} {objects} disconnected.': '{count} {objects} getrennt.',
  '{count} {objects} synchronised.': '{count} {objects} synchronisiert.',
  'This is not valid JSON.': 'Das ist kein gültiges JSON.',
  'Token created': 'Token angelegt',
  'Update choices': 'Auswahl aktualisieren',
  'Why this is changed, for the change log.': 'Grund der Änderung, für das Änderungsprotokoll.',
  'you may not view these objects.': 'diese Objekte sind nicht sichtbar.',
  Yours: 'Eigener Stand',
  '{count} free position.|{count} free positions.':
    '{count} freie Position.|{count} freie Positionen.',
  '{field} type': '{field}: Typ',
  '{field}: comparison': '{field}: Vergleich',
  '{model} {object} was created.': '{model} {object} wurde angelegt.',
  '{model} {object} was left as it was: nothing had been changed.':
    '{model} {object} blieb unverändert: es gab keine Änderung.',
  '{model} {object} was saved.': '{model} {object} wurde gespeichert.',
  '{object} was changed meanwhile': '{object} wurde inzwischen geändert',
  'Add several {models}': 'Mehrere {models} hinzufügen',
  One: 'Eines',
  Several: 'Mehrere',
  'Ranges in brackets: 192.0.2.[1-10]/32, 10.[0-3,8].0.0/16, 2001:db8:[a-f]::/64':
    'Bereiche in Klammern: 192.0.2.[1-10]/32, 10.[0-3,8].0.0/16, 2001:db8:[a-f]::/64',
  'Numbers and ranges, separated by commas: 100,200-210':
    'Zahlen und Bereiche, mit Kommas getrennt: 100,200-210',
  '{place} stands for the number: VLAN-{place}.': '{place} steht für die Nummer: VLAN-{place}.',
  'The pattern stands for more than {count} objects.':
    'Das Muster steht für mehr als {count} Objekte.',
  'This pattern cannot be read.': 'Dieses Muster ist nicht lesbar.',
}

/** Texts of the start page and of its widgets. */
export const germanDashboard = {
  Arrange: 'Anordnen',
  'Arrange the start page': 'Startseite anordnen',
  Done: 'Fertig',
  'Back to the default': 'Zurück zur Vorgabe',
  'Drag a widget by its heading, or use its buttons. Each change is saved at once.':
    'Widgets werden an der Überschrift gezogen oder mit den Schaltflächen bewegt. Jede Änderung wird sofort gespeichert.',
  'Add a widget': 'Widget hinzufügen',
  'Move forward': 'Nach vorn',
  'Move back': 'Nach hinten',
  Narrower: 'Schmaler',
  Wider: 'Breiter',
  Remove: 'Entfernen',
  Title: 'Titel',
  'There is nothing to show.': 'Es gibt nichts anzuzeigen.',
  'This kind of widget is not available.': 'Diese Art von Widget ist nicht verfügbar.',
  'Object counts': 'Anzahl der Objekte',
  'Numbers of objects, with links to their lists': 'Anzahl der Objekte mit Links zu ihren Listen',
  'Leave out kinds without objects': 'Arten ohne Objekte auslassen',
  'Object list': 'Objektliste',
  'The first objects of a list, with filters and order':
    'Die ersten Objekte einer Liste, mit Filtern und Sortierung',
  'Kind of objects': 'Art der Objekte',
  'Filters and order': 'Filter und Sortierung',
  'As in the address of the list: status=active&ordering=-created':
    'Wie in der Adresse der Liste: status=active&ordering=-created',
  'Show all {count}': 'Alle {count} anzeigen',
  'Number of objects': 'Anzahl der Objekte',
  Note: 'Notiz',
  'A text of your own, in Markdown': 'Ein eigener Text in Markdown',
  'Objects that you have bookmarked': 'Objekte mit Lesezeichen',
  'Link to a feed': 'Link zu einem Feed',
  'A link; feeds of other hosts are not fetched':
    'Ein Link; Feeds anderer Server werden nicht geladen',
  Address: 'Adresse',
  'The fullest racks or prefixes': 'Die vollsten Racks oder Präfixe',
  '{used} of {count} unit|{used} of {count} units':
    '{used} von {count} Einheit|{used} von {count} Einheiten',
}

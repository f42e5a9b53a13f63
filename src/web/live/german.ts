/** Texts of the page of the latest changes. */
export const germanLive = {
  'Live changes': 'Laufende Änderungen',
  'Load the page again to see new changes.':
    'Neue Änderungen zeigt die Seite nach dem erneuten Laden.',
  'There are no changes yet.': 'Es gibt noch keine Änderungen.',
  Object: 'Objekt',
}

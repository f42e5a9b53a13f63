/** Texts of the start page and the search. */
export const germanStart = {
  'add one': 'einen hinzufügen',
  'All {count} {objects}': 'Alle {count} {objects}',
  'begins with': 'beginnt mit',
  Comparison: 'Vergleich',
  Home: 'Start',
  'import a list': 'eine Liste importieren',
  'Kinds of objects': 'Objektarten',
  'Latest changes': 'Letzte Änderungen',
  'matches the expression': 'passt zum Ausdruck',
  'Name, serial, address, MAC address …': 'Name, Seriennummer, Adresse, MAC-Adresse …',
  'Nothing was found.': 'Nichts gefunden.',
  'Text, address or MAC address': 'Text, Adresse oder MAC-Adresse',
  'The record of your network': 'Das Verzeichnis des Netzwerks',
  'There are no objects yet that you may view. Start with a site: {add} or {import}.':
    'Es gibt noch keine sichtbaren Objekte. Am Anfang steht ein Standort: {add} oder {import}.',
  'Very many values match: only the best of them are shown and counted.':
    'Sehr viele Werte passen: nur die besten werden gezeigt und gezählt.',
  '{login} to see the stored objects.': '{login}, um die gespeicherten Objekte zu sehen.',
}

/** Texts of the start page and the search. */
export const START_TEXTS = [
  'add one',
  'All {count} {objects}',
  'begins with',
  'Comparison',
  'Home',
  'import a list',
  'Kinds of objects',
  'Latest changes',
  'matches the expression',
  'Name, serial, address, MAC address …',
  'Nothing was found.',
  'Text, address or MAC address',
  'The record of your network',
  'There are no objects yet that you may view. Start with a site: {add} or {import}.',
  'Very many values match: only the best of them are shown and counted.',
  '{login} to see the stored objects.',
] as const

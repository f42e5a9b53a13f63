import type { LIVE_TEXTS } from '../catalogue/live.ts'

export const germanLive: Readonly<Record<(typeof LIVE_TEXTS)[number], string>> = {
  'Live changes': 'Laufende Änderungen',
  'Load the page again to see new changes.':
    'Neue Änderungen zeigt die Seite nach dem erneuten Laden.',
  'There are no changes yet.': 'Es gibt noch keine Änderungen.',
  Object: 'Objekt',
}

import type { ADMINISTRATION_TEXTS } from '../catalogue/administration.ts'

export const germanAdministration: Readonly<Record<(typeof ADMINISTRATION_TEXTS)[number], string>> =
  {
    active: 'aktiv',
    Configuration: 'Konfiguration',
    Database: 'Datenbank',
    'Default: {value}.': 'Standard: {value}.',
    Embedded: 'Eingebettet',
    Memory: 'Speicher',
    'None are loaded.': 'Keine geladen.',
    Plugins: 'Plugins',
    'Reason for the change': 'Grund der Änderung',
    Restore: 'Wiederherstellen',
    Revisions: 'Revisionen',
    'Running for': 'Läuft seit',
    'Save as a new revision': 'Als neue Revision speichern',
    'see the documentation': 'siehe Dokumentation',
    Service: 'Dienst',
    'Set by the environment: {value}': 'Von der Umgebung gesetzt: {value}',
    Settings: 'Einstellungen des Dienstes',
    System: 'System',
    'There are none yet: the defaults hold.': 'Noch keine: es gelten die Standardwerte.',
    "These settings change while the service runs. An empty field means the default; what the environment sets wins and can't be changed here.":
      'Diese Einstellungen ändern sich im laufenden Betrieb. Ein leeres Feld bedeutet den Standard; Werte der Umgebung haben Vorrang und sind hier nicht änderbar.',
    'Webhook deliveries': 'Webhook-Zustellungen',
  }

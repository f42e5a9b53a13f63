import type { Text } from '../texts/translate.ts'

/** A setting in words of the pages. */
export interface SettingWords {
  readonly label: Text
  readonly help?: Text
  /** Unit of a number. */
  readonly unit?: Text
  /** Labels of the values. */
  readonly options?: Readonly<Record<string, Text>>
}

interface SettingGroup {
  readonly label: Text
  readonly settings: Readonly<Record<string, SettingWords>>
}

/** The settings that may change while the service runs, by group, in the order of the form. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    label: 'Banners',
    settings: {
      BANNER_TOP: { label: 'Top of every page', help: 'Shown without markup.' },
      BANNER_BOTTOM: { label: 'Bottom of every page', help: 'Shown without markup.' },
      BANNER_LOGIN: { label: 'Login page' },
      BANNER_MAINTENANCE: { label: 'Every page in maintenance mode' },
    },
  },
  {
    label: 'Retention',
    settings: {
      CHANGELOG_RETENTION: { label: 'Keep change records', unit: 'days', help: '0 keeps them forever.' },
      CHANGELOG_RETAIN_CREATE_LAST_UPDATE: {
        label: 'Keep the first and the last change',
      },
      HISTORY_RETENTION: { label: 'Keep the history of objects', unit: 'days', help: '0 keeps all of it.' },
      JOB_RETENTION: { label: 'Keep jobs', unit: 'days', help: '0 keeps them forever.' },
    },
  },
  {
    label: 'Changes',
    settings: {
      MAINTENANCE_MODE: { label: 'Maintenance mode: refuse all changes' },
      CHANGELOG_MESSAGE_REQUIRED: {
        label: 'Who must give a reason for each change',
        options: { none: 'Nobody', people: 'People on the pages', tokens: 'Programs with tokens', all: 'Everybody' },
      },
      ENFORCE_GLOBAL_UNIQUE: { label: 'Refuse duplicates outside VRFs' },
      CUSTOM_VALIDATORS: { label: 'Conditions for saving objects', help: 'JSON, by model.' },
      PROTECTION_RULES: { label: 'Conditions for deleting objects', help: 'JSON, by model.' },
    },
  },
  {
    label: 'Programs',
    settings: {
      MCP_ENABLED: { label: 'Assistants (MCP)', help: 'Serve tools for assistants at /mcp.' },
      GRAPHQL_ENABLED: { label: 'GraphQL', help: 'Serve the GraphQL API at /graphql/.' },
      API_VERSION: {
        label: 'Version of the API',
        help: 'For webhooks, and for requests that name no version.',
      },
    },
  },
  {
    label: 'Lists',
    settings: {
      PAGINATE_COUNT: { label: 'Objects on a page if the request sets no limit' },
      MAX_PAGE_SIZE: { label: 'Most objects on a page', help: '0 for no limit.' },
      DEFAULT_USER_PREFERENCES: { label: 'Preferences of users who have not set their own', help: 'JSON.' },
    },
  },
]

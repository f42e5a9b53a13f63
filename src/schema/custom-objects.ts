/** Owner of the models that users define while the service runs: their app, and their plugin. */
export const CUSTOM_OBJECTS = 'custom_objects'

/** By PostgreSQL type: the form of the texts that are its values, written as PostgreSQL writes them. */
export const CONVERTED_TEXTS: Readonly<Record<string, string>> = {
  bigint: '^(0|-?[1-9][0-9]{0,14})$',
  boolean: '^(true|false)$',
  date: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$',
}

/** Owner of the models that users define while the service runs: their app, and their plugin. */
export const CUSTOM_OBJECTS = 'custom_objects'

/** By PostgreSQL type: the form of the texts that are its values, written as PostgreSQL writes them. */
export const CONVERTED_TEXTS: Readonly<Record<string, string>> = {
  bigint: '^(0|-?[1-9][0-9]{0,14})$',
  boolean: '^(true|false)$',
  date: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$',
}

/** Whether users have defined the column: in a table of a custom object type, or as an extension of another one. */
export const isCustomColumn = ({ owner }: { readonly owner?: string }, column: string): boolean =>
  owner === CUSTOM_OBJECTS || /^x\d+_f\d+/.test(column)

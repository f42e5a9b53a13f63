/**
 * A column of an import that is not a field of the model, or a field that also narrows other columns. It names an
 * object by its name or another attribute (`to`), or holds a plain value.
 */
export interface ImportColumn {
  /**
   * Model of the named object. If there are several models, the one to which the narrowing columns of the row lead is
   * used. `typeIn`: another column of the row contains the model, as `app.model` or as one of `types`.
   */
  readonly to?:
    | string
    | readonly string[]
    | { readonly typeIn: string; readonly types?: Readonly<Record<string, string>> }
  /** Generic relation, or list of objects with their types, that receives the named object. */
  readonly assigns?: string
  /** Columns whose objects belong to the named one: column → relation of its model. */
  readonly narrows?: Readonly<Record<string, string>>
  /** Kind of a plain value. */
  readonly value?: 'boolean' | 'integer' | 'json'
  /** Field of the body that receives the value; absent: only `importBody` and `importFollowUps` see it. */
  readonly field?: string
  /** Path of the list's column that shows the named object, if it differs. */
  readonly listedAs?: string
  /** Accepted but not read. */
  readonly ignored?: boolean
}

/** Objects that an import creates within an object: a list of this name in a record of JSON or YAML. */
export interface ImportedComponents {
  readonly model: string
  /** Field of the component that refers to the object. */
  readonly via: string
}

/** An object that a column names. */
export interface NamedObject {
  readonly model: string
  readonly id: number
}

/** Values of the columns of a row that are not fields, by column name; empty cells are absent. */
export type ImportValues = Readonly<Record<string, unknown>>

/** A change to another object that follows from a row. */
export interface ImportFollowUp {
  readonly model: string
  readonly id: number
  readonly body: Readonly<Record<string, unknown>>
}

/** The object of a column, if the row names one. */
export const namedBy = (values: ImportValues, column: string): NamedObject | undefined => {
  const value = values[column]
  return typeof value === 'object' && value !== null && 'id' in value
    ? (value as NamedObject) // only columns with `to` hold objects
    : undefined
}

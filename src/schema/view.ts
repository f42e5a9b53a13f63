import type {
  ImportColumn,
  ImportedComponents,
  ImportFollowUp,
  ImportValues,
} from './import-column.ts'

/** Fields that belong together on a page: of a form, of a panel, of a filter form. */
export interface FieldGroup {
  /** Heading; empty: none. */
  readonly label: string
  /** Names of fields, or paths (`site.region`) where they are only shown. */
  readonly fields: readonly string[]
}

/** A list of names, written as one text; long ones take several lines. */
export const words = (names: string): readonly string[] => names.trim().split(/\s+/)

/** `fields`: a list, or their names as one text. */
export const fieldGroup = (label: string, fields: string | readonly string[]): FieldGroup => ({
  label,
  fields: typeof fields === 'string' ? words(fields) : fields,
})

/** Objects of another model that belong to the shown object. */
export interface Children {
  readonly model: string
  /** Filters of the list: parameter → field of the shown object, or a fixed value that starts with `=`. */
  readonly by: Readonly<Record<string, string>>
  /** Heading if it is not the model's plural. */
  readonly label?: string
}

/** Children on a page of their own, a tab of the object's page. */
export interface ChildrenTab extends Children {
  /** Last segment of the tab's address. */
  readonly path: string
  /** The tab is left out while there are no children. */
  readonly hiddenIfEmpty?: boolean
  /** Columns of its table if they are not those of the model's list. */
  readonly columns?: readonly string[]
}

/** A tab that is made by hand, shown where the object has such children. */
export interface OwnTab extends Children {
  readonly path: 'panel' | 'power'
  readonly label: string
}

/** How the global search finds and shows the objects of a model. */
export interface SearchView {
  /** Weight of each searched field, or of `display`: the lower, the earlier a match is listed. */
  readonly weights: Readonly<Record<string, number>>
  /** First and last address: an address between them finds the object. */
  readonly range?: readonly [string, string]
  /**
   * Relation to the object that is found with this one where the term is an address or a hardware address: from an
   * address to its interface, from there to the device.
   */
  readonly leadsTo?: string
  /** Fields shown beside a match. */
  readonly shown: readonly string[]
}

/** Values of a field that holds objects of one type, which is chosen too. */
export interface TypedObjects {
  readonly types: readonly string[]
  /** Model of the objects that most of them belong to, and the filter by it: it narrows the choice in a form. */
  readonly within: { readonly model: string; readonly by: string }
  /** Filters of the objects that a search offers, such as free ports; a type ignores those that it does not have. */
  readonly available?: Readonly<Record<string, string>>
  /** The field with the objects of the other side, and the types that fit each type there. */
  readonly opposite?: {
    readonly name: string
    readonly types: Readonly<Record<string, readonly string[]>>
  }
}

/** Fields that decide which positions of a rack are free for an object. */
export interface RackPosition {
  readonly position: string
  readonly rack: string
  readonly face: string
  /** Relation to the type, which has height and depth. */
  readonly type: string
}

/** A form that creates many objects, for the values that a pattern in one of its fields stands for. */
export interface BulkAdd {
  readonly field: string
  /** Networks with ranges in brackets (`10.0.[0-3].0/24`), or numbers and ranges (`100,200-210`). */
  readonly pattern: 'network' | 'numbers'
  /** Text fields in which the name of the field, in braces, stands for its value. */
  readonly namedIn?: readonly string[]
}

/** Parts of object pages that are more than values and tables. `web/object/page-parts.ts` makes them. */
export type PagePart = 'addressSpace' | 'floorList' | 'job' | 'rackElevation' | 'vlanIds'

/** How people see and edit the objects of a model: its lists, object pages, forms, imports. */
export interface ModelView {
  readonly model: string
  /** Paths to what tells objects with the same display apart: an interface's device, a rack's site. */
  readonly context?: readonly string[]
  /** Columns of a list that are shown by default: fields or paths. */
  readonly columns: readonly string[]
  /** Further columns that a list can have, in the order of an export of all. */
  readonly moreColumns?: readonly string[]
  /** Labels of fields on all pages that differ from those that the API describes. */
  readonly fieldLabels?: Readonly<Record<string, string>>
  /** Labels of fields in forms that differ from those on other pages. */
  readonly formLabels?: Readonly<Record<string, string>>
  /** Headings of columns, by path, that differ from the label of their field. */
  readonly labels?: Readonly<Record<string, string>>
  /** Panels of the object page, in two columns. */
  readonly panels: readonly (readonly FieldGroup[])[]
  /** Part of the object page beside its panels. */
  readonly part?: PagePart
  /** Objects of which the page names the first ones, in a card for each kind. */
  readonly overview?: readonly Children[]
  /** Tables below the panels. */
  readonly tables?: readonly Children[]
  readonly tabs?: readonly ChildrenTab[]
  readonly ownTabs?: readonly OwnTab[]
  /** Filter of devices by the object, for the map of its devices. */
  readonly mapFilter?: string
  readonly form?: readonly FieldGroup[]
  /** Objects can be created by a pattern on `…/bulk-add/`. */
  readonly bulkAdd?: BulkAdd
  /** Fields whose values the form for another object takes over from this one. Tags and custom fields do so by themselves. */
  readonly cloned?: readonly string[]
  /** Choices that depend on other fields of the form: field → parameter of its collection → field that gives the value. */
  readonly narrowedBy?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Fields that hold objects of one of several types, such as the ends of a cable. */
  readonly objectLists?: Readonly<Record<string, TypedObjects>>
  /** The field whose choices are the free positions in a rack. */
  readonly rackPosition?: RackPosition
  readonly filters?: readonly FieldGroup[]
  readonly bulkEdit?: readonly FieldGroup[]
  /** Names in the bulk edit form that stand for the length of the network in a field. */
  readonly networkLengths?: Readonly<Record<string, string>>
  /** Columns of an import, in the order of the documentation. `site.name`: the site is given by its name by default. */
  readonly imports?: readonly string[]
  /** Fields that a row of an import must name for a new object although they have a default. */
  readonly importRequires?: readonly string[]
  /** Columns of the import that are no fields, or that narrow others. */
  readonly importColumns?: Readonly<Record<string, ImportColumn>>
  /** Part of the body that follows from columns that are no fields. */
  readonly importBody?: (values: ImportValues) => Readonly<Record<string, unknown>>
  /** Messages by column for values that the row must not have. */
  readonly importRefusals?: (values: ImportValues) => Readonly<Record<string, string>>
  /** Changes of other objects once the object of a row is saved; `id` is its id. */
  readonly importFollowUps?: (
    values: ImportValues,
    id: number,
    body: Readonly<Record<string, unknown>>,
  ) => readonly ImportFollowUp[]
  /** Field that refers to the importing user unless the row says otherwise. */
  readonly importAuthor?: string
  /** Lists of components in the records of an import, in the order of their creation. */
  readonly importComponents?: Readonly<Record<string, ImportedComponents>>
  readonly search?: SearchView
}

/** A frozen view. The registry checks its names. */
export const modelView = (model: string, declaration: Omit<ModelView, 'model'>): ModelView =>
  Object.freeze({ model, ...declaration })

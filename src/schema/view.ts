import type { Field, Fields } from './field.ts'
import type { ImportColumn, ImportedComponents, ImportFollowUp, ImportValues } from './import-column.ts'
import type { Definition } from './model.ts'
import type { Behaviour } from './rule.ts'

/** Fields that belong together on a page: of a form, of a panel, of a filter form. */
export interface FieldGroup {
  /** Heading; empty: none. */
  readonly label: string
  /** Names of fields, or paths (`site.region`) if they are only shown. */
  readonly fields: readonly string[]
}

/** The words of a text, as a union. */
export type WordsOf<Text extends string, Found = never> = Text extends `${infer Line}\n${infer Rest}`
  ? WordsOf<Rest, WordsOfLine<Line, Found>>
  : WordsOfLine<Text, Found>
type WordsOfLine<Line extends string, Found> = Line extends `${infer Word} ${infer Rest}`
  ? WordsOfLine<Rest, Word extends '' ? Found : Found | Word>
  : Line extends ''
    ? Found
    : Found | Line

/** A list of names, written as one text; long ones take several lines. */
export const words = <const Text extends string>(names: Text): readonly WordsOf<Text>[] =>
  names.trim().split(/\s+/) as unknown as readonly WordsOf<Text>[] // The type splits as this does.

/** Headings that are the names in capitals: `module.serial_number` → `Module Serial Number`. */
export const titled = <const Text extends string>(names: Text): Readonly<Record<WordsOf<Text>, string>> =>
  Object.fromEntries(words(names).map((name) => [name, titleCase(name)])) as Record<WordsOf<Text>, string>

/** `device-bays` → `Device Bays`. */
export const titleCase = (name: string): string =>
  name.replaceAll(/[._-]/g, ' ').replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())

export const fieldGroup = (label: string, fields: readonly string[]): FieldGroup => ({
  label,
  fields,
})

/** Objects of another model that belong to the shown object. */
export interface Children {
  readonly model: string
  /** Filters of the list: parameter → field of the shown object, or a fixed value that starts with `=`. */
  readonly by: Readonly<Record<string, string>>
  /** Heading if it is not the model's plural. */
  readonly label?: string
  /** The table is shown before it has rows: people wait for them, or the object exists for their sake. */
  readonly isShownEmpty?: boolean
  /** The table selects children for a purpose, and does not offer to add one. */
  readonly isSelection?: boolean
  /** Columns of the table if they are not those of the model's list. */
  readonly columns?: readonly string[]
}

/** Children on a page of their own, a tab of the object's page. */
export interface ChildrenTab extends Children {
  /** Last segment of the tab's URL. */
  readonly path: string
  /** The tab is left out if there are no children. */
  readonly hiddenIfEmpty?: boolean
  /**
   * Field of the object; while it has a value, the list also contains children of other objects, and names their
   * objects.
   */
  readonly sharedIf?: string
}

/** How the global search finds and shows the objects of a model. */
export interface SearchView {
  /** Weight of each searched field, or of `display`: matches with lower weights are listed first. */
  readonly weights: Readonly<Record<string, number>>
  /** First and last address: any address between them finds the object. */
  readonly range?: readonly [string, string]
  /**
   * If the term is an IP or MAC address: relation to another object that is found as well, from an address to its
   * interface, and from there to the device.
   */
  readonly leadsTo?: string
  /** Fields shown next to a match. */
  readonly shown: readonly string[]
}

/** Values of a field that holds objects of one type; the type is chosen too. */
export interface TypedObjects {
  readonly types: readonly string[]
  /** Model of their usual parent objects, and the filter by it, which narrows the choice in a form. */
  readonly within: { readonly model: string; readonly by: string }
  /** Filters of the objects that a search offers, such as free ports; a type ignores those that it does not have. */
  readonly available?: Readonly<Record<string, string>>
  /** The field with the objects of the other side, and the types that can be connected to each type. */
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

/** A form field, and the values of it for which another field is shown. */
export interface ShownWith<Name extends string = string> {
  readonly field: Name
  readonly values: readonly string[]
}

/**
 * A choice by the type of another field's object: the values that fit each type, the default first. A form asks only if
 * there are several.
 */
export interface DecidedBy {
  readonly relation: string
  readonly values: Readonly<Record<string, readonly string[]>>
}

/** A form that creates many objects from a pattern in one of its fields. */
export interface BulkAdd {
  readonly field: string
  /** Networks with ranges in brackets (`10.0.[0-3].0/24`), or numbers and ranges (`100,200-210`). */
  readonly pattern: 'network' | 'numbers'
  /** Text fields in which the name of the field in braces is replaced by its value. */
  readonly namedIn?: readonly string[]
}

/** How a list of names differs from the one that follows from the form. */
export interface Difference<Name extends string = string> {
  readonly without?: readonly Name[]
  readonly plus?: readonly Name[]
}

/** How people see and edit the objects of a model: its lists, object pages, forms, imports. */
export interface ModelView {
  readonly model: string
  /** Paths that distinguish objects with the same display: an interface's device, a rack's site. */
  readonly context?: readonly string[]
  /** Columns of a list that are shown by default: fields or paths. */
  readonly columns: readonly string[]
  /** Further columns that a list can have, in the order of an export of all. */
  readonly moreColumns?: readonly string[]
  /** Labels of fields on all pages that differ from those that the API describes. */
  readonly fieldLabels?: Readonly<Record<string, string>>
  /** Labels of fields in forms that differ from those on other pages. */
  readonly formLabels?: Readonly<Record<string, string>>
  /** Help texts in forms that only people need. */
  readonly formHelp?: Readonly<Record<string, string>>
  /** Headings of columns, by path, that differ from the label of their field. */
  readonly labels?: Readonly<Record<string, string>>
  /** Panels of the object page, in two columns. */
  readonly panels: readonly (readonly FieldGroup[])[]
  /** Related objects of which the page lists the first few, in one card per kind. */
  readonly overview?: readonly Children[]
  /** Tables below the panels. */
  readonly tables?: readonly Children[]
  readonly tabs?: readonly ChildrenTab[]
  /**
   * Models whose objects can be added to an object of this model from its row in a list: an address to an interface.
   */
  readonly addedInRows?: readonly string[]
  readonly form?: readonly FieldGroup[]
  /** Fields of the API that neither form nor panels show, each with the place that takes the values from people. */
  readonly setElsewhere?: Readonly<Record<string, string>>
  /** Fields of the form that another part of the object's page shows; its panels show all others. */
  readonly shownElsewhere?: readonly string[]
  /** Rarely used fields of this model: a form hides them behind *More fields* while they are empty. */
  readonly folded?: readonly string[]
  /** Objects can be created by a pattern on `…/bulk-add/`. */
  readonly bulkAdd?: BulkAdd
  /** Fields whose values are copied to the form for a clone. Tags and custom fields are always copied. */
  readonly cloned?: readonly string[]
  /** Choices that depend on other fields of the form: field → parameter of its collection → field that gives the value. */
  readonly narrowedBy?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Fields that a form shows only if another field has one of these values. */
  readonly shownWith?: Readonly<Record<string, ShownWith>>
  /** Choices that follow from the type of a relation's object. */
  readonly decidedBy?: Readonly<Record<string, DecidedBy>>
  /** Fields that hold objects of one of several types, such as the ends of a cable. */
  readonly objectLists?: Readonly<Record<string, TypedObjects>>
  /** The field whose choices are the free positions in a rack. */
  readonly rackPosition?: RackPosition
  readonly filters?: readonly FieldGroup[]
  readonly bulkEdit?: readonly FieldGroup[]
  /** Names in the bulk edit form for the mask length of a network field. */
  readonly networkLengths?: Readonly<Record<string, string>>
  /** Columns of an import, in the order of the documentation. `site.name`: the site is given by its name by default. */
  readonly imports?: readonly string[]
  /** Fields that a row of an import must name for a new object although they have a default. */
  readonly importRequires?: readonly string[]
  /** Columns of the import that are not fields, or that narrow other columns. */
  readonly importColumns?: Readonly<Record<string, ImportColumn>>
  /** Part of the body derived from columns that are not fields. */
  readonly importBody?: (values: ImportValues) => Readonly<Record<string, unknown>>
  /** Messages by column for values that the row must not have. */
  readonly importRefusals?: (values: ImportValues) => Readonly<Record<string, string>>
  /** Changes to other objects once the object of a row has been saved; `id` is its id. */
  readonly importFollowUps?: (
    values: ImportValues,
    id: number,
    body: Readonly<Record<string, unknown>>,
  ) => readonly ImportFollowUp[]
  /** Field that refers to the importing user, unless the row says otherwise. */
  readonly importAuthor?: string
  /** Lists of components in the records of an import, in the order of their creation. */
  readonly importComponents?: Readonly<Record<string, ImportedComponents>>
  readonly search?: SearchView
}

/** A view as a model declares it; `completeView` adds what follows from the model and its form. */
export interface DeclaredView extends Omit<ModelView, 'bulkEdit' | 'imports' | 'moreColumns'> {
  readonly bulkEdit?: readonly FieldGroup[] | Difference
  readonly imports?: readonly string[] | Difference
  readonly moreColumns?: readonly string[] | Difference
}

/** A tab with an object's children, shown if there are any; its label is the path in capitals: `device-bays` → `Device Bays`. */
export const tab = (
  path: string,
  model: string,
  by: Children['by'],
  differences: Partial<ChildrenTab> = {},
): ChildrenTab => ({
  path,
  label: titleCase(path),
  model,
  by,
  hiddenIfEmpty: true,
  ...differences,
})

/** Names in the answer of a model with these fields. */
export type NameOf<F extends Fields> =
  | 'id'
  | 'url'
  | 'display'
  | { [K in keyof F & string]: K | GenericPart<K, F[K]> }[keyof F & string]
/** Types and ids of generic relations; some have other names that end in `object_type` and `object_id`. */
type GenericPart<Name extends string, Of extends Field> = Of['kind'] extends 'genericForeignKey'
  ? `${Name | `${string}object`}_${'type' | 'id'}`
  : never
/** Names, and paths that lead over a relation. */
export type PathOf<F extends Fields> = NameOf<F> | `${keyof F & string}.${string}`

/** Groups of names by their headings; a list is one group without a heading. */
export type Groups<Name extends string> =
  | readonly Name[]
  | Readonly<Record<string, readonly Name[]>>
  | readonly FieldGroup[]

type Listed<Name extends string> = readonly Name[] | Difference<Name>

/** Parts of a view that are declared in a form other than that of `ModelView`. */
type Redeclared =
  | 'model'
  | 'context'
  | 'columns'
  | 'moreColumns'
  | 'panels'
  | 'form'
  | 'setElsewhere'
  | 'shownElsewhere'
  | 'folded'
  | 'cloned'
  | 'filters'
  | 'bulkEdit'
  | 'imports'
  | 'importRequires'
  | 'importColumns'
  | 'networkLengths'
  | 'labels'
  | 'fieldLabels'
  | 'formLabels'
  | 'formHelp'
  | 'shownWith'
  | 'search'

/**
 * A view as it is declared, with the names of a model's fields. `Column`: names of `importColumns`; `Length`: those of
 * `networkLengths`.
 */
export interface ViewDeclaration<
  F extends Fields = Fields,
  Column extends string = string,
  Length extends string = string,
> extends Omit<ModelView, Redeclared> {
  readonly context?: readonly PathOf<F>[]
  readonly columns: readonly PathOf<F>[]
  /** Default: what bodies may contain, with id and times; a difference from that, or a list of its own. */
  readonly moreColumns?: Listed<PathOf<F>>
  /** Groups in one column, or in each of several; a list is one panel, headed by the model's label. */
  readonly panels: readonly PathOf<F>[] | PanelColumn<PathOf<F>> | readonly PanelColumn<PathOf<F>>[]
  /** The fields in their order, from which `bulkEdit` and `imports` follow. */
  readonly form?: Groups<NameOf<F>>
  readonly setElsewhere?: Readonly<Partial<Record<NameOf<F>, string>>>
  readonly shownElsewhere?: readonly NameOf<F>[]
  readonly folded?: readonly NameOf<F>[]
  readonly cloned?: readonly NameOf<F>[]
  /** Names of parameters. */
  readonly filters?: Groups<string>
  /** Default: the form without names and what must be unique; a difference from that, or groups of its own. */
  readonly bulkEdit?: Groups<NameOf<F> | NoInfer<Length>> | Difference<NameOf<F> | NoInfer<Length>>
  /** Default: the form, tags by their slugs; a difference from that, or a list of its own. */
  readonly imports?: Listed<PathOf<F> | NoInfer<Column> | `${NoInfer<Column>}.${string}`>
  readonly importRequires?: readonly (NameOf<F> | NoInfer<Column>)[]
  readonly importColumns?: Readonly<Record<Column, ImportColumn>>
  readonly networkLengths?: Readonly<Record<Length, string>>
  readonly labels?: { readonly [Path in PathOf<F>]?: string }
  readonly fieldLabels?: { readonly [Name in NameOf<F>]?: string }
  readonly formLabels?: { readonly [Name in NameOf<F>]?: string }
  readonly formHelp?: { readonly [Name in NameOf<F>]?: string }
  readonly shownWith?: { readonly [Name in NameOf<F>]?: ShownWith<NameOf<F>> }
  readonly search?: Omit<SearchView, 'weights' | 'shown'> & {
    /** Weights beyond or other than `USUAL_WEIGHTS`; null: the field is not searched. */
    readonly weights?: { readonly [Name in NameOf<F>]?: number | null }
    readonly shown: readonly NameOf<F>[]
  }
}

/** A view, and what the model does beyond its declaration. */
export interface Registration<F extends Fields = Fields, Column extends string = string, Length extends string = string>
  extends ViewDeclaration<F, Column, Length> {
  readonly behaviour?: Behaviour
}
type PanelColumn<Path extends string> = Readonly<Record<string, readonly Path[]>>

/** The weights of fields that are searched in every model that has them. */
const USUAL_WEIGHTS: Readonly<Record<string, number>> = {
  asset_tag: 50,
  serial: 60,
  name: 100,
  slug: 110,
  label: 200,
  description: 500,
  comments: 5000,
}

/** A model with its behaviour and view, as its app lists it. */
export interface RegisteredModel {
  readonly model: Definition
  /** Rules and hooks. Behaviours that need the running service are added by core.ts. */
  readonly behaviour?: Behaviour
  /** Absent: the view is derived from the fields. */
  readonly view?: DeclaredView
}

/** A model with its behaviour and its view. The compiler checks names of fields, the registry all names. */
export function registered<F extends Fields, Column extends string = never, Length extends string = never>(
  model: Definition<F>,
  { behaviour, panels, form, filters, bulkEdit, search, ...parts }: Registration<F, Column, Length>,
): RegisteredModel & { readonly view: DeclaredView } {
  const [singular] = model.labels
  const columns = Array.isArray(panels) && typeof panels[0] === 'object' ? panels : [panels]
  const view = Object.freeze({
    ...(parts as Omit<DeclaredView, 'model' | 'panels'>), // names of fields are texts
    model: model.name,
    panels: columns.map((column) => groupsOf(column, capitalised(singular))),
    ...(form && { form: groupsOf(form) }),
    ...(filters && { filters: groupsOf(filters) }),
    ...(bulkEdit && { bulkEdit: isDifference(bulkEdit) ? bulkEdit : groupsOf(bulkEdit) }),
    ...(search && { search: { ...search, weights: weightsOf(model, search.weights) } }),
  })
  return { model: model as unknown as Definition, ...(behaviour && { behaviour }), view }
}

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Whether the list is given by its difference from the one that follows from the form. */
export const isDifference = (listed: object): listed is Difference => 'without' in listed || 'plus' in listed

const isNames = (groups: Groups<string>): groups is readonly string[] =>
  Array.isArray(groups) && typeof groups[0] === 'string'

const groupsOf = (groups: Groups<string>, label = ''): readonly FieldGroup[] => {
  if (isNames(groups)) return [fieldGroup(label, groups)]
  if (Array.isArray(groups)) return groups
  return Object.entries(groups).map(([heading, names]) => fieldGroup(heading, names))
}

/** Weights of the searched fields, the most important first. */
function weightsOf(
  { fields }: Definition,
  declared: Readonly<Record<string, number | null | undefined>> = {},
): SearchView['weights'] {
  const usual = Object.entries(USUAL_WEIGHTS).filter(([name]) => Object.hasOwn(fields, name))
  const weights = Object.entries({ ...Object.fromEntries(usual), ...declared })
  return Object.fromEntries(
    weights
      .flatMap(([name, weight]) => (typeof weight === 'number' ? [[name, weight] as const] : []))
      .sort(([, left], [, right]) => left - right),
  )
}

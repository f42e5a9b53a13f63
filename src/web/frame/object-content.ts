import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import type { PermissionAction } from '../../identity/actor.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import type { ApiRoutes } from '../data/ask-api.ts'
import type { FilteredList } from '../data/count-lists.ts'
import type { Content } from '../html.ts'
import type { ModelPageRow } from './page-endpoint.ts'
import type { FramedPage } from './page-frame.ts'

/** The object of a request. */
export interface RequestedObject {
  readonly request: ApiRequest
  readonly model: Model
  /** The API's JSON of the object. */
  readonly object: JsonObject
}

/** The object of a page. */
export interface PageObject extends RequestedObject {
  /** The API's endpoints. */
  readonly routes: ApiRoutes
}

/** The object of a page, to which plugins may have added parts and tabs. */
export interface ExtendedObject extends PageObject {
  readonly added: AddedToObjects
}

/** What plugins add to the pages of objects. */
export interface AddedToObjects {
  /** Buttons and panels. */
  readonly parts: readonly ObjectPart[]
  /** Further pages, in the tab bar. */
  readonly tabs: readonly ObjectTab[]
}

/** Models by name, or by a common property. */
type Models = readonly string[] | ((model: Model) => boolean)

/** Content that a feature adds to the main page of an object. `object-contents.ts` lists all. */
export interface ObjectPart {
  readonly models: Models
  readonly load: (object: PageObject) => PartContent | Promise<PartContent>
  /** Pages that its forms and links lead to, below the path of the object. */
  readonly pages?: (routes: ApiRoutes, model: Model) => readonly ModelPageRow[]
}

/** The positions of a part on the page. */
export interface PartContent extends Pick<FramedPage, 'styles' | 'scripts'> {
  /** Buttons next to the heading. */
  readonly actions?: Content
  /** Above the panels, across the width. */
  readonly top?: Content
  /** Beside all panels, in a narrow column. */
  readonly beside?: Content
  /** Above the panels on the left. */
  readonly left?: Content
  /** On the right, above all other panels. */
  readonly right?: Content
  /** The right side needs most of the width. */
  readonly isWide?: boolean
  /** Below the panels. */
  readonly below?: Content
}

/** A page about an object besides its main one. `object-contents.ts` lists all. */
export interface ObjectTab {
  readonly models: Models
  /** Last segment of its path. */
  readonly path: string
  readonly label: () => string
  /** Menu of the bar that contains it together with other tabs. */
  readonly group?: 'Configuration'
  /** Methods of the page; `GET` if absent. */
  readonly methods?: 'GET POST'
  /** Action that the sender must be allowed to perform. */
  readonly permission?: PermissionAction
  /** The objects that it lists, which the sender must be allowed to view. */
  readonly list?: (registry: Registry, model: Model, object: JsonObject) => FilteredList
  /** The number of listed objects is shown next to the label. */
  readonly isCounted?: boolean
  /** The number next to the label of a tab that lists something other than objects; undefined: none. */
  readonly count?: (object: PageObject) => Promise<number | undefined>
  readonly isHiddenIfEmpty?: boolean
  /** The content of the page, or another response. */
  readonly load: (object: PageObject) => Promise<TabContent | HttpResponse>
}

export interface TabContent extends Pick<FramedPage, 'scripts' | 'styles' | 'status'> {
  readonly content: Content
  /** Buttons in addition to those of every page. */
  readonly actions?: Content
}

/** Whether the objects of the model have this part or tab. */
export const isFor = ({ models }: { readonly models: Models }, model: Model): boolean =>
  typeof models === 'function' ? models(model) : models.includes(model.name)

import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import type { PermissionAction } from '../../identity/actor.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import type { Content } from '../components/html.ts'
import type { PageMethods } from '../frame/page-endpoint.ts'
import type { FramedPage, PageResponse } from '../frame/page-frame.ts'
import type { ApiRoutes } from './ask-api.ts'
import type { FilteredList } from './count-lists.ts'

/** Makes a page of a model. */
export type ModelPage = (request: ApiRequest, model: Model) => Promise<PageResponse>

/** A page of a model: its address below that of the list, methods, what makes it. */
export type ModelPageRow = readonly [path: string, methods: PageMethods, page: ModelPage]

/** An object that a request is about. */
export interface RequestedObject {
  readonly request: ApiRequest
  readonly model: Model
  /** The API's JSON of the object. */
  readonly object: JsonObject
}

/** An object that a page is about. */
export interface PageObject extends RequestedObject {
  /** The API's endpoints. */
  readonly routes: ApiRoutes
}

/** Models by their names, or by what they have in common. */
type Models = readonly string[] | ((model: Model) => boolean)

/** Content that a feature adds to the main page of an object. `object-contents.ts` lists all. */
export interface ObjectPart {
  readonly models: Models
  readonly load: (object: PageObject) => PartContent | Promise<PartContent>
  /** Pages that its forms and links lead to, below the address of the object. */
  readonly pages?: (routes: ApiRoutes, model: Model) => readonly ModelPageRow[]
}

/** The places of a part on the page. */
export interface PartContent extends Pick<FramedPage, 'styles' | 'scripts'> {
  /** Buttons beside the heading. */
  readonly actions?: Content
  /** Above the panels on the left. */
  readonly left?: Content
  /** On the right, above all other panels. */
  readonly right?: Content
  /** The right side needs most of the width. */
  readonly isWide?: boolean
  /** Below the panels. */
  readonly below?: Content
}

/** A page about an object beside its main one. `object-contents.ts` lists all. */
export interface ObjectTab {
  readonly models: Models
  /** Last segment of its address. */
  readonly path: string
  readonly label: () => string
  /** Menu of the bar in which it stands with others. */
  readonly group?: 'Configuration'
  /** Methods of the page; `GET` if absent. */
  readonly methods?: 'GET POST'
  /** Action that the sender has to be allowed to perform. */
  readonly permission?: PermissionAction
  /** The objects that it lists, which the sender has to be allowed to view. */
  readonly list?: (registry: Registry, model: Model, object: JsonObject) => FilteredList
  /** The number of listed objects stands beside the label. */
  readonly isCounted?: boolean
  readonly isHiddenIfEmpty?: boolean
  /** The content of the page, or another response. */
  readonly load: (object: PageObject) => Promise<TabContent | HttpResponse>
}

export interface TabContent extends Pick<FramedPage, 'scripts' | 'styles' | 'status'> {
  readonly content: Content
  /** Buttons beside those of every page. */
  readonly actions?: Content
}

/** Whether the objects of the model have this part or tab. */
export const isFor = ({ models }: { readonly models: Models }, model: Model): boolean =>
  typeof models === 'function' ? models(model) : models.includes(model.name)

import type { ApiRequest } from '../../api/api-request.ts'
import type { User } from '../../identity/actor.ts'
import type { MenuIcon } from '../../schema/menu.ts'
import type { Service } from '../../service.ts'
import type { Content } from '../html.ts'
import type { StaticName } from './static-files.ts'

/** The user who views a page. */
export interface Viewer {
  readonly username: string
  /** CSRF token of the session, sent by forms as `csrfmiddlewaretoken`; absent without a session. */
  readonly csrfToken?: string | undefined
  readonly isSuperuser: boolean
}

export const viewerOf = ({ username, isSuperuser }: User, csrfToken: string | undefined): Viewer => ({
  ...{ username, isSuperuser, csrfToken },
})

/** A link of the breadcrumbs. */
export interface Crumb {
  readonly label: string
  /** Path below the base path. */
  readonly path: string
}

/** A subject of the menu with its lists, by group. */
export interface MenuEntries {
  readonly label: string
  readonly icon: MenuIcon | undefined
  readonly groups: readonly {
    readonly label: string
    readonly entries: readonly MenuEntry[]
  }[]
  /** Lists without objects that few people need. */
  readonly rare: readonly MenuEntry[]
}

interface MenuEntry extends Crumb {
  readonly isCurrent: boolean
  /** Label of the link to the form for another object; undefined if the viewer may not add any. */
  readonly addLabel?: string
  /** Path of that form below the list. */
  readonly addPath?: string
  /** Whether the viewer may also import such objects. */
  readonly isImportable?: boolean
}

/** What the frame of a page takes from the request: the settings, and the choices in the browser's cookies. */
export interface PageRequest {
  readonly service: Pick<Service, 'settings'>
  readonly headers: ApiRequest['headers']
}

/** Content of a page before it is rendered. */
export interface Page {
  /** Title in the title bar, before the name of the service. */
  readonly title: string
  /** Prefix of every path of the service. */
  readonly basePath: string
  /** Path and query of the page below the base path; a login redirects back to it. */
  readonly address: string
  /** Undefined for anonymous users. */
  readonly viewer: Viewer | undefined
  /** The viewer is unknown: the page offers neither login nor logout. */
  readonly isUnseen?: boolean
  /** Number of the viewer's unread notifications. */
  readonly unread?: number
  /** Breadcrumbs: ancestors of this page, and last the page itself. */
  readonly breadcrumbs?: readonly Crumb[]
  /** Files in addition to those of every page. */
  readonly styles?: readonly StaticName[]
  readonly scripts?: readonly StaticName[]
  /** The rendered menu of lists that the viewer may see, one part per subject; absent on pages without a menu. */
  readonly menu?: readonly Content[]
  /** Choice of the branch in the header. */
  readonly branchMenu?: Content
  /** The chosen branch, above the breadcrumbs. */
  readonly branchLine?: Content
  /** The branch that the page shows, by its `schema_id`: scripts send it with their requests. */
  readonly branch?: string | undefined
  readonly body: Content
}

/** Parameter of the login page's URL: a form was sent after the session had ended. */
export const SESSION_ENDED = 'ended'

/** Path of the login page, which redirects to `address` afterwards. */
export const loginPath = (basePath: string, address: string): string =>
  `${basePath}/login/?next=${encodeURIComponent(`${basePath}${address}`)}`

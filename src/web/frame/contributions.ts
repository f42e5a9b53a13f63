import type { ApiRequest } from '../../api/api-request.ts'
import type { Model } from '../../schema/registry.ts'
import type { Content } from '../html.ts'
import type { AddedToObjects } from './object-content.ts'
import type { PageRow } from './page-endpoint.ts'
import type { WidgetKind } from './widget.ts'

/** What a plugin adds to the pages. */
export interface PageContributions extends AddedToObjects {
  /** Pages of their own. */
  readonly pages: readonly PageRow[]
  /** Buttons above lists; nothing for lists that are not concerned. */
  readonly listLinks: readonly ((request: ApiRequest, model: Model) => Content)[]
  /** Kinds of widgets for the start page, by the names under which dashboards are stored: `acme.CageWidget`. */
  readonly widgets: Readonly<Record<string, WidgetKind>>
}

/** Marks the result of `packPages`, even if a program and a pack have loaded this file from different places. */
const MARK = Symbol.for('cadastre.pack-pages')

/** What a pack adds to the pages, for the default export of its `pages.ts`; omitted parts are empty. */
export const packPages = (contributions: Partial<PageContributions>): PageContributions =>
  Object.freeze({ ...combinedContributions([contributions]), [MARK]: true })

/** Whether the value was made by `packPages`. */
export const isPackPages = (value: unknown): value is PageContributions =>
  typeof value === 'object' && value !== null && MARK in value

/** The contributions of several plugins as those of one. */
export const combinedContributions = (all: readonly Partial<PageContributions>[]): PageContributions => ({
  pages: all.flatMap(({ pages = [] }) => pages),
  parts: all.flatMap(({ parts = [] }) => parts),
  tabs: all.flatMap(({ tabs = [] }) => tabs),
  listLinks: all.flatMap(({ listLinks = [] }) => listLinks),
  widgets: Object.assign({}, ...all.map(({ widgets = {} }) => widgets)),
})

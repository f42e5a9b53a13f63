import { type Content, type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** A widget in the form for the start page. */
export interface ShownWidget {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly color: string | undefined
  /** Columns of twelve. */
  readonly width: number
  readonly content: Content
}

/** Colors of headings; unknown ones count as none. */
export const WIDGET_COLORS = ['blue', 'teal', 'green', 'yellow', 'orange', 'red', 'purple', 'gray'] as const

/** The widgets in a grid. */
export const dashboardBody = (widgets: readonly ShownWidget[]): Html =>
  html`<div class="dashboard">${widgets.map((widget) => widgetCard(widget))}</div>`

/** The link to the page on which the start page is arranged. */
export const arrangeLink = (basePath: string): Html =>
  html`<div class="actions"><a class="button quiet" href="${basePath}/dashboard/">${translate('Edit dashboard')}</a></div>`

/** A widget; `tools`: its buttons while the page is being arranged. */
export function widgetCard({ id, title, color, width, content }: ShownWidget, tools?: Content): Html {
  const usableColor = WIDGET_COLORS.find((name) => name === color)
  return html`<section class="card widget span-${width} ${usableColor && `color-${usableColor}`}" id="widget-${id}"${tools !== undefined && html` data-widget="${id}"`}><h2>${title}</h2>${tools}<div class="widget-content">${content}</div></section>`
}

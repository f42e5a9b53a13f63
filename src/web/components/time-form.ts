import { translate, translateMarkup } from '../texts/translate.ts'
import { type Content, type Html, html, trusted } from './html.ts'

/** Choice of the time as of which a page is shown. */
export interface TimeForm {
  /** Path of the page, with the base path. */
  readonly action: string
  /** Parameters that stay. */
  readonly query: readonly (readonly [string, string])[]
  /** The time shown, as in the URL; undefined for the present. */
  readonly asOf: string | undefined
}

/** Above a page of the past: its time, and a link to the present page. */
export function pastBanner({ action, query, asOf = '' }: TimeForm): Html {
  const rest = new URLSearchParams(query.map(([name, value]) => [name, value] satisfies [string, string])).toString()
  const now = rest === '' ? action : `${action}?${rest}`
  return html`<div class="banner past" role="note"><span>${translateMarkup('You are looking at {time} – read-only.', { time: html`<strong>${asOf}</strong>` })}</span> <a data-now href="${now}">${translate('Back to now')}</a></div>`
}

/** Below a page: a form that shows it at another time. */
export const timeForm = ({ action, query, asOf }: TimeForm): Html =>
  html`<details class="time-form"${asOf !== undefined && ' open'}><summary>${translate('View an earlier state…')}</summary>
<form method="get" action="${action}" data-now>${query.map(hidden)}<label>${translate('Time (UTC)')} <input type="datetime-local" step="1" name="as_of" value="${timeInputValue(asOf)}" required></label><button>${translate('Show this time')}</button></form></details>`

const hidden = ([name, value]: readonly [string, string]): Content =>
  html`<input type="hidden" name="${name}" value="${value}">`

/** Value of the browser's control: the time without its zone; empty for positions. */
export const timeInputValue = (asOf = ''): string => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?/.exec(asOf)?.[0] ?? ''

/**
 * The markup with the time in all links and in forms that read, so that navigation stays in the past, except in
 * elements with `data-now`.
 */
export function withTime(markup: string, basePath: string, asOf: string): string {
  const value = encodeURIComponent(asOf)
  const isInside = (path: string): boolean =>
    path.startsWith('?') || (path.startsWith(`${basePath}/`) && !path.startsWith(`${basePath}/static/`))
  return markup
    .replace(/(<a\b(?![^>]*data-now)[^>]*?\shref=")([^"#]*)/g, (all, head: string, path: string) => {
      if (!isInside(path) || path.includes('as_of=')) return all
      return `${head}${path}${path.includes('?') ? '&amp;' : '?'}as_of=${value}`
    })
    .replace(/<form\b(?![^>]*(?:data-now|method="post"))[^>]*>/g, (form) =>
      html`${trusted(form)}${hidden(['as_of', asOf])}`.toString(),
    )
}

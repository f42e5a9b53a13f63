import { type Content, type Html, html, trusted } from '../html.ts'
import { translate, translateMarkup } from '../texts/translate.ts'
import { icon } from './icon.ts'

/** Choice of the time as of which a page is shown. */
export interface TimeForm {
  /** Path of the page, with the base path. */
  readonly action: string
  /** Query parameters that the form keeps. */
  readonly query: readonly (readonly [string, string])[]
  /** The time shown, as in the URL; undefined for the present. */
  readonly asOf: string | undefined
  /** Time at which the history begins, as ISO 8601; undefined if no other time can be chosen. */
  readonly begins: string | undefined
}

/** At the top of a page of the past: its time, a choice of another time, and a link to the present page. */
export function pastBanner(form: TimeForm): Html {
  const { action, query, asOf = '' } = form
  const parameters = new URLSearchParams(
    query.map(([name, value]) => [name, value] satisfies [string, string]),
  ).toString()
  const now = parameters === '' ? action : `${action}?${parameters}`
  return html`<div class="banner past" role="note"><span>${translateMarkup('You are looking at {time} – read-only.', { time: html`<strong>${asOf}</strong>` })}</span> ${timeChoice(form)} <a data-now href="${now}">${translate('Back to now')}</a></div>`
}

/** Beside the actions of a page: a form that shows it at another time, and the address of a comparison. */
export function timeMenu(form: TimeForm, comparison: string | undefined): Html {
  const label = translate('View an earlier state')
  return html`<details class="link-menu time-menu"><summary class="icon-button" aria-label="${label}" title="${label}">${icon('history')}</summary><div><p class="muted">${label}</p>${timeChoice(form)}${comparison !== undefined && html`<p data-live="compare"><a href="${comparison}">${translate('Compare two times')}</a></p>`}</div></details>`
}

/** The script `time-slider.client.ts` makes the slider usable: without it, the time is entered. */
const timeChoice = ({ action, query, asOf, begins }: TimeForm): Content =>
  begins !== undefined &&
  html`<form method="get" action="${action}" data-now>${query.map(hidden)}<input type="range" class="time-slider" min="0" max="100" data-begins="${begins}" aria-label="${translate('Earlier states')}" hidden><label><span${asOf !== undefined && html` class="visually-hidden"`}>${translate('Time (UTC)')}</span> <input type="datetime-local" step="1" name="as_of" value="${timeInputValue(asOf)}" required></label><button${asOf !== undefined && html` class="quiet"`}>${translate('Show this time')}</button></form>`

const hidden = ([name, value]: readonly [string, string]): Content =>
  html`<input type="hidden" name="${name}" value="${value}">`

/** Value of the browser's control: the time without its zone; empty for positions. */
export const timeInputValue = (asOf = ''): string => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?/.exec(asOf)?.[0] ?? ''

/**
 * The markup with the time in all links and in forms that read, so that users stay in the past as they navigate, except
 * in elements with `data-now`.
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

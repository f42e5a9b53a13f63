import { subjectIcon } from '../components/icon.ts'
import { type Content, type Html, html } from '../html.ts'
import { sentenceCase, translate } from '../texts/translate.ts'
import type { MenuEntries } from './page.ts'

/** The menu of these subjects; in narrow windows it opens with the button of the header. */
export const sidebar = (subjects: readonly Content[]): Html =>
  html`<nav class="sidebar" id="menu" aria-label="${translate('Inventory')}">${subjects}</nav>`

/** The name of a subject, by which the search finds its icon. */
const subjectName = (label: string): string => label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** A subject of the menu, which opens. */
export const subjectMenu = (basePath: string, { label, icon, groups, rare }: MenuEntries, isOpen: boolean): Html => {
  const title = sentenceCase(label)
  return html`<details data-subject="${subjectName(label)}"${isOpen && html` open`}><summary title="${title}">${subjectIcon({ label, ...(icon && { icon }) })}<span>${title}</span></summary>${groups.map(
    (group) =>
      html`${groups.length > 1 && html`<p class="sidebar-group">${sentenceCase(group.label)}</p>`}${entryList(basePath, group.entries)}`,
  )}${rare.length > 0 && html`<details class="more"><summary>${translate('More')}</summary>${entryList(basePath, rare)}</details>`}</details>`
}

const entryList = (basePath: string, entries: MenuEntries['rare']): Html =>
  html`<ul>${entries.map(
    (entry) =>
      html`<li><a href="${basePath}${entry.path}"${entry.isCurrent && html` aria-current="page"`}>${entry.label}</a>${entry.addLabel !== undefined && html`<a class="add"${entry.isImportable && html` data-import`} href="${basePath}${entry.path}${entry.addPath}" aria-label="${entry.addLabel}">+</a>`}</li>`,
  )}</ul>`

/** Links that belong to the user. */
type OwnLinks = readonly { readonly label: string; readonly path: string }[]

/**
 * The top of the menu: lists that the user has marked, and saved views. Only the user's own marks change it, so that the
 * subjects below keep their places; the pages seen last are in the search.
 */
export const menuTop = (
  basePath: string,
  { favorites, views }: Readonly<Record<'favorites' | 'views', OwnLinks>>,
): Content =>
  favorites.length + views.length > 0 &&
  html`<div class="sidebar-top">${linkGroup(basePath, translate('Favorites'), favorites)}${linkGroup(basePath, translate('Views'), views)}</div>`

const linkGroup = (basePath: string, title: string, links: OwnLinks): Content =>
  links.length > 0 &&
  html`<p class="sidebar-group">${title}</p><ul>${links.map(({ label, path }) => html`<li><a href="${basePath}${path}"><bdi>${label}</bdi></a></li>`)}</ul>`

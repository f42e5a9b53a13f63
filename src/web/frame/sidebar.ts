import { subjectIcon } from '../components/icon.ts'
import { type Html, html } from '../html.ts'
import { sentenceCase, translate } from '../texts/translate.ts'
import type { MenuEntries } from './page.ts'

/** The menu of these subjects; in narrow windows it opens with the button of the header. */
export const sidebar = (subjects: readonly Html[]): Html =>
  html`<nav class="sidebar" id="menu" aria-label="${translate('Inventory')}">${subjects}</nav>`

/** The name of a subject in the menu's cookie. */
export const subjectName = (label: string): string => label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** A subject of the menu, which opens. */
export const subjectMenu = (basePath: string, { label, groups }: MenuEntries, isOpen: boolean): Html => {
  const title = sentenceCase(label)
  return html`<details data-subject="${subjectName(label)}"${isOpen && html` open`}><summary title="${title}">${subjectIcon(label)}<span>${title}</span></summary>${groups.map(
    (group) =>
      html`${groups.length > 1 && html`<p class="sidebar-group">${sentenceCase(group.label)}</p>`}<ul>${group.entries.map(
        (entry) =>
          html`<li><a href="${basePath}${entry.path}"${entry.isCurrent && html` aria-current="page"`}>${entry.label}</a>${entry.addLabel !== undefined && html`<a class="add" href="${basePath}${entry.path}add/" aria-label="${entry.addLabel}">+</a>`}</li>`,
      )}</ul>`,
  )}</details>`
}

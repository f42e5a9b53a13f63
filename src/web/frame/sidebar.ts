import { type Html, html } from '../components/html.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import type { MenuEntries } from './page.ts'

/** The menu of these subjects; in narrow windows it opens with a button. */
export const sidebar = (
  subjects: readonly Html[],
): Html => html`<nav class="sidebar" aria-label="${translate('Inventory')}">
<input type="checkbox" id="menu-open" class="visually-hidden"><label for="menu-open" class="button quiet">${translate('Menu')}</label>
<div class="subjects">${subjects}</div></nav>`

/** A subject of the menu, which opens; the one of the current page is open. */
export const subjectMenu = (basePath: string, { label, groups }: MenuEntries): Html => {
  const isOpen = groups.some(({ entries }) => entries.some(({ isCurrent }) => isCurrent))
  return html`<details name="menu"${isOpen && html` open`}><summary>${translateLabel(label)}</summary>${groups.map(
    (group) =>
      html`<p class="sidebar-group">${translateLabel(group.label)}</p><ul>${group.entries.map(
        (entry) =>
          html`<li><a href="${basePath}${entry.path}"${entry.isCurrent && html` aria-current="page"`}>${entry.label}</a>${entry.mayAdd && html`<a class="add" href="${basePath}${entry.path}add/" aria-label="${translate('Add to {list}', { list: entry.label })}">+</a>`}</li>`,
      )}</ul>`,
  )}</details>`
}

import { type MenuIcon, type MenuSection, SUBJECT_ICONS } from '../../schema/menu.ts'
import { type Html, html } from '../html.ts'

/** A decorative icon of `icons.css`; the text next to it, or the label of its button, gives its meaning. */
export const icon = (name: IconName): Html => html`<span class="icon i-${name}" aria-hidden="true"></span>`

/** The icons of `icons.css`. */
export type IconName =
  | 'menu'
  | 'search'
  | 'bell'
  | 'star'
  | 'more'
  | 'close'
  | 'check'
  | 'add'
  | 'copy'
  | 'help'
  | 'history'
  | 'filter'
  | 'columns'
  | 'drag'
  | 'edit'
  | 'bookmark'
  | 'branch'
  | MenuIcon

/** The icon of a subject of the menu. */
export const subjectIcon = ({ label, icon: chosen }: Pick<MenuSection, 'label' | 'icon'>): Html =>
  icon(chosen ?? SUBJECT_ICONS.find((subject) => subject === label.toLowerCase()) ?? 'customization')

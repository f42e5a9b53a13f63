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
  | SubjectIcon

type SubjectIcon = (typeof SUBJECTS)[number]

/** Subjects of the menu with their own icon, by label in lower case. */
const SUBJECTS = [
  'organization',
  'racks',
  'devices',
  'connections',
  'wireless',
  'ipam',
  'vpn',
  'virtualization',
  'circuits',
  'power',
  'provisioning',
  'customization',
  'operations',
  'admin',
] as const

/** The icon of a subject of the menu; plugins' subjects have a common one. */
export const subjectIcon = (label: string): Html =>
  icon(SUBJECTS.find((subject) => subject === label.toLowerCase()) ?? 'customization')

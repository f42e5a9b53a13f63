import { OBJECT_ICONS } from '../../schema/menu.ts'
import { controlField, type InputControl } from '../components/control.ts'
import { type IconName, icon } from '../components/icon.ts'
import { linkMenu } from '../components/menu.ts'
import { objectTable } from '../components/object-table.ts'
import { pager } from '../components/pager.ts'
import { attributesPanel } from '../components/panel.ts'
import { tabBar } from '../components/tab-bar.ts'
import { utilizationMeter } from '../components/utilization-bar.ts'
import { colorDisplay, EMPTY } from '../components/value.ts'
import { type Content, type Html, html, trusted } from '../html.ts'
import { translate } from '../texts/translate.ts'
import type { FramedPage } from './page-frame.ts'
import { DISPLAY } from './theme.ts'

/** Address of the page with the components. */
export const COMPONENTS = '/components/'

const HUES = ['blue', 'indigo', 'purple', 'pink', 'red', 'orange', 'yellow', 'green', 'teal', 'cyan', 'gray', 'black']
const SURFACES = ['page', 'surface', 'sunken', 'line', 'line-strong', 'muted', 'text', 'accent', 'good', 'warn', 'bad']
const ICONS = [
  'search',
  'bell',
  'bookmark',
  'more',
  'add',
  'copy',
  'help',
  'history',
  'filter',
  'columns',
  'edit',
  'close',
  'drag',
] as const satisfies readonly IconName[]

const INPUTS: Readonly<Record<string, InputControl>> = {
  Text: { kind: 'text', type: 'text', value: 'core-1' },
  List: { kind: 'select', options: [{ value: 'a', label: 'Active' }], chosen: ['a'] },
  Combobox: {
    kind: 'choices',
    options: ['edge', 'core', 'lab'].map((value) => ({ value, label: value })),
    chosen: ['edge', 'core'],
    empty: '',
  },
  'Check box': { kind: 'checkbox', isChecked: true },
}

/**
 * GET /components/: every component of the pages in both themes, for people who develop the pages. Its samples are
 * English.
 */
export const componentsPage = async (): Promise<FramedPage> => ({
  title: translate('Components'),
  styles: ['inputs.css', 'objects.css', 'object.css', 'lists.css', 'edit.css', 'dashboard.css', 'components.css'],
  scripts: ['edit-form.client.ts'],
  body: html`<div class="heading"><h1>${translate('Components')}</h1></div>
<div class="themes-side-by-side">${Object.keys(DISPLAY.theme)
    .filter((theme) => theme !== 'auto')
    .map(
      (theme) =>
        html`<section class="theme-sample" data-theme="${theme}" aria-label="${theme}">${samples(theme)}</section>`,
    )}</div>`,
})

const sample = (title: string, content: Content): Html => html`<h2>${title}</h2><div class="sample">${content}</div>`

const samples = (theme: string): Content => [
  sample('Colors', html`<ul class="swatches">${SURFACES.map((name) => html`<li>${swatch(name)} ${name}</li>`)}</ul>`),
  sample(
    'States',
    HUES.map((hue) => html`<span class="badge ${hue}">${hue}</span> `),
  ),
  sample(
    'Type',
    html`<h1>Heading 20/28</h1><h3>Heading 14/20</h3><p>Text 14/20 with <a href="#">a link</a>, <strong>strong</strong>, <span class="muted">muted</span>, <span class="mono">xe-0/0/0 10.0.0.0/24</span>, <kbd>Ctrl</kbd></p>`,
  ),
  sample(
    'Icons',
    [...ICONS, ...OBJECT_ICONS].map((name) => html`<span class="icon-button" title="${name}">${icon(name)}</span>`),
  ),
  sample(
    'Buttons',
    html`<div class="actions"><button type="button">Save</button><button type="button" class="quiet">Cancel</button><button type="button" class="danger">Delete</button>${linkMenu('Export', [{ label: 'CSV', href: '#' }])}${linkMenu('More', [{ label: 'API', href: '#' }], { icon: 'more' })}</div>`,
  ),
  sample(
    'Fields',
    html`<form class="edit" data-folds><div class="fields">${Object.entries(INPUTS).map(([label, input]) => controlField({ name: label.toLowerCase().replaceAll(' ', '-'), label, input }, theme))}${controlField({ name: 'wrong', label: 'Refused', input: { kind: 'text', type: 'text', value: '1000' }, help: 'From -90 to 90', errors: ['Ensure this value is at most 90.'] }, theme)}</div></form>`,
  ),
  sample(
    'Notices',
    html`<p class="notice">A notice</p><p class="notice good">Saved. <a href="#">Undo</a></p><p class="notice warn">A warning</p><p class="notice bad">Not saved.</p>`,
  ),
  sample(
    'Tabs',
    tabBar([
      { label: 'Device', href: '#', isCurrent: true },
      { label: 'Interfaces', href: '#', isCurrent: false, count: 48 },
    ]),
  ),
  sample(
    'Panel',
    attributesPanel('Device', [
      { label: 'Status', value: html`<span class="badge green">Active</span>` },
      { label: 'Role', value: html`${colorDisplay('2196f3')}Access switch` },
      { label: 'Serial number', value: EMPTY },
    ]),
  ),
  sample(
    'Table',
    html`${objectTable({
      label: `Interfaces (${theme})`,
      isMain: true,
      columns: [
        { name: 'name', label: 'Name', kind: 'mono', sortHref: '#', sorted: 'ascending' },
        { name: 'state', label: 'State' },
        { name: 'mtu', label: 'MTU', kind: 'num' },
      ],
      rows: ['xe-0/0/0', 'xe-0/0/1'].map((name, id) => ({
        id,
        label: name,
        cells: [
          html`<a href="#">${name}</a>`,
          html`<span class="badge ${id === 0 ? 'green' : 'gray'}">${id === 0 ? 'Enabled' : 'Disabled'}</span>`,
          '9,216',
        ],
      })),
    })}<div class="list-foot">${pager({ count: 96, offset: 0, length: 2, previous: undefined, next: '#' })}</div>`,
  ),
  sample('Utilization', [
    ...[0.3, 0.8, 0.95].map((share) => utilizationMeter({ label: 'Space', share, text: 'of 42 U' })),
    utilizationMeter({ label: 'Prefixes', share: 1, text: 'in 4 prefixes', canRunOut: false }),
  ]),
]

/** A sample of a token. The name is one of this file. */
const swatch = (name: string): Html => trusted(`<span class="token t-${name}"></span>`)

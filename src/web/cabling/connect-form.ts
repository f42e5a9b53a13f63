import { type Control, controlField } from '../components/control.ts'
import { csrfField } from '../components/csrf-field.ts'
import { foldedFields, hasValue } from '../forms/edit-form.ts'
import { type Content, type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** A row of the preview: a port, and the name of the port to connect it to. */
export interface PairRow {
  readonly id: number
  readonly name: string
  readonly far: string
  readonly isChosen: boolean
  /** Why the cable was refused. */
  readonly error?: string | undefined
  /** Why the ports may not belong together. */
  readonly doubt?: string | undefined
}

/** The form that connects the ports of two devices. */
interface PairsForm {
  readonly action: string
  readonly csrfToken: string | undefined
  /** The devices of the ports, with links. */
  readonly near: Content
  readonly far: Content
  readonly rows: readonly PairRow[]
  /** Names of the free ports at the far side. */
  readonly offered: readonly string[]
  /** Fields that all cables share. */
  readonly shared: readonly Control[]
  readonly messages: readonly string[]
}

/** Name of the check box of a pair; its value is the id of the near port. */
export const PAIR = 'pair'
/** Name of the input with the far port of the near port with the id. */
export const farName = (id: number): string => `far-${id}`

/** The choice of the two sides: a form that leads to the preview. */
export const sidesForm = (
  action: string,
  hidden: Readonly<Record<string, string>>,
  sides: readonly { readonly label: string; readonly controls: readonly Control[] }[],
  order: readonly Control[],
): Html => html`<form class="edit sides" data-folds method="get" action="${action}">
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="two">${sides.map(
  ({ label, controls }) =>
    html`<fieldset class="card"><legend>${label}</legend><div class="fields">${controls.map((control) => controlField(control, 'side'))}</div></fieldset>`,
)}</div>
<details class="more"${order.some(({ input }) => hasValue(input)) && html` open`}><summary>${translate('Order')} <span class="muted">${order.map(({ label }) => label).join(', ')}</span></summary><div class="fields">${order.map((control) => controlField(control, 'order'))}</div></details>
<div class="buttons"><button>${translate('Preview the pairs')}</button></div>
</form>`

/** The pairs, each of which can be changed or left out, and the fields that their cables share. */
export const pairsForm = (
  form: PairsForm,
): Html => html`<form class="edit" data-folds method="post" action="${form.action}" novalidate>
${csrfField(form.csrfToken)}
${form.messages.length > 0 && html`<div class="notice bad" role="alert"><p>${translate('No cable was created.')}</p>${form.messages.map((message) => html`<p>${message}</p>`)}</div>`}
<section class="card"><h2>${translate('{count} pair|{count} pairs', { count: form.rows.length })}</h2>
<div class="scroll objects-table" tabindex="0" role="region" aria-label="${translate('Pairs')}"><table class="pairs">
<thead><tr><th class="select" scope="col"><span class="visually-hidden">${translate('Connect')}</span></th><th scope="col">${form.near}</th><th scope="col" class="wire"><span class="visually-hidden">${translate('Cable')}</span></th><th scope="col">${form.far}</th></tr></thead>
<tbody>${form.rows.map(tableRow)}</tbody></table></div>
<datalist id="far-ports">${form.offered.map((name) => html`<option value="${name}">`)}</datalist></section>
${foldedFields([{ label: translate('Cables'), controls: form.shared }])}
<div class="buttons sticky"><button name="_save" value="1">${translate('Connect the checked pairs')}</button></div>
</form>`

const tableRow = ({ id, name, far, isChosen, error, doubt }: PairRow): Html =>
  html`<tr><td class="select"><input type="checkbox" name="${PAIR}" value="${id}"${isChosen && html` checked`} aria-label="${translate('Connect {name}', { name })}"></td><th scope="row"><bdi>${name}</bdi></th><td class="wire" aria-hidden="true"><span></span></td><td><input type="text" name="${farName(id)}" value="${far}" list="far-ports" aria-label="${translate('Far port of {name}', { name })}" autocomplete="off"${error !== undefined && html` aria-invalid="true" aria-describedby="pair-${id}-error"`}>${error !== undefined && html`<p class="error" id="pair-${id}-error">${error}</p>`}${doubt !== undefined && html`<p class="help">${doubt}</p>`}</td></tr>\n`

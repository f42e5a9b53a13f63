import { words } from '../../schema/view.ts'
import { type Control, controlField, type InputControl } from '../components/control.ts'
import { type Content, Html, html } from '../html.ts'
import { translate, translateMarkup } from '../texts/translate.ts'

/** Messages of a refusal: a sentence, several sentences, or messages by field. */
export type FormMessages = string | Html | readonly FormMessages[] | { readonly [field: string]: FormMessages }

/** A sentence, which may contain a link. */
export type Message = string | Html

/** A form for an object, sent as a plain form. */
interface EditForm {
  readonly action: string
  readonly csrfToken: string | undefined
  readonly groups: readonly { readonly label: string; readonly controls: readonly Control[] }[]
  /** Hidden values that the form sends back unchanged. */
  readonly hidden?: Readonly<Record<string, string | undefined>>
  /** Why the entered values were refused. */
  readonly messages: FormMessages | undefined
  /** Label of a field that the form does not have, by its name in the API. */
  readonly labelOf?: (name: string) => string
  /** Label of the button. */
  readonly submit: string
  /** The form offers to start another object after this one. */
  readonly offersAnother?: boolean
  /** The page opens with the cursor in the first field, unless the form was refused. */
  readonly focusesFirst?: boolean
  /** The tab keeps what is typed until it is saved. The page must fill in a form that is sent with `_refresh`. */
  readonly keepsDraft?: boolean
  /** Address to return to without saving. */
  readonly cancel: string
}

/** Fields in groups, with errors at their fields and all other errors above. */
export function editForm(form: EditForm): Html {
  const { action, csrfToken, groups, messages, submit, cancel } = form
  const controls = groups.flatMap((group) => group.controls)
  const errors = errorsOf(controls, messages, form.labelOf)
  const first = form.focusesFirst === true && messages === undefined ? controls[0] : undefined
  const focused = (controls.find(({ name }) => errors.at.has(name)) ?? first)?.name
  const hidden = { csrfmiddlewaretoken: csrfToken ?? '', ...form.hidden }
  return html`<form class="edit" data-folds${form.keepsDraft && html` data-draft`} method="post" action="${action}" enctype="multipart/form-data" novalidate>
${Object.entries(hidden).map(([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`)}
${/* The Enter key presses the first button of a form. */ ''}<button class="visually-hidden" name="_save" value="1" tabindex="-1" aria-hidden="true">${submit}</button>
${messages !== undefined && html`<div class="notice bad" role="alert"><p>${translate('Not saved.')} ${problemLinks(controls, errors.at)}</p>${errors.other.map((text) => html`<p>${text}</p>`)}</div>`}
${foldedFields(groups, errors.at, focused)}
<div class="buttons sticky"><button name="_save" value="1">${submit}</button>${form.offersAnother && html`<button name="_addanother" value="1" class="quiet">${translate('Create and add another')}</button>`}<a class="button quiet" href="${cancel}">${translate('Cancel')}</a></div>
</form>`
}

/** The number of fields with errors, and a link to each. */
export function problemLinks(controls: readonly Control[], errors: ReadonlyMap<string, readonly Message[]>): Content {
  const wrong = controls.filter(({ name }) => errors.has(name))
  if (wrong.length === 0) return undefined
  const links = wrong.map(
    ({ name, label }, index) => html`${index > 0 && ', '}<a href="#${PREFIX}-${name}">${label}</a>`,
  )
  return translateMarkup('{count} problem: {fields}|{count} problems: {fields}', {
    count: wrong.length,
    fields: html`${links}`,
  })
}

/** Prefix of the ids of the fields. */
const PREFIX = 'field'

/** Rarely used fields, which are folded while they are empty. */
const RARE: ReadonlySet<string> = new Set(
  words(`
    slug latitude longitude airflow asset_tag physical_address shipping_address time_zone owner local_context_data comments
    changelog_message desc_units outer_width outer_height outer_depth outer_unit mounting_depth max_weight weight weight_unit
    starting_unit label mark_connected virtual_chassis vc_position vc_priority poe_mode poe_type rf_role rf_channel
    rf_channel_frequency rf_channel_width tx_power wireless_lans wwn vdcs primary_mac_address vlan_translation_policy qinq_svlan
    config_template oob_ip distance distance_unit channels channel_id
  `),
)

/** Further fields that are folded while they are empty: those that an installation has added. */
const CUSTOM = 'custom_fields.'

/** The groups with required or filled fields; all other fields are collapsed behind one line. */
export function foldedFields(
  groups: EditForm['groups'],
  errors: ReadonlyMap<string, readonly Message[]> = new Map(),
  focused?: string,
): Content {
  const isNeeded = (control: Control): boolean =>
    control.name === focused ||
    errors.has(control.name) ||
    control.clearing?.isChecked === true ||
    (hasValue(control.input) && !isMadeUp(control))
  const visible: EditForm['groups'][number][] = []
  const folded: EditForm['groups'][number][] = []
  for (const { label, controls } of groups) {
    const isRare = (control: Control): boolean =>
      control.isRequired !== true &&
      !isNeeded(control) &&
      (control.isRare === true || RARE.has(control.name) || control.name.startsWith(CUSTOM))
    const [first, rare] = [controls.filter((control) => !isRare(control)), controls.filter(isRare)]
    if (first.length > 0) visible.push({ label, controls: first })
    if (rare.length > 0) folded.push({ label, controls: rare })
  }
  const render = (list: EditForm['groups']): readonly Content[] =>
    list.map((group) => formGroup(group, errors, focused))
  // A form of a few fields shows them all.
  if (groups.flatMap(({ controls }) => controls).length <= FEW) return render(groups)
  // A heading that is also above names no folded field.
  const names = folded.flatMap(({ label, controls }) =>
    label === '' || visible.some((group) => group.label === label) ? controls.map((control) => control.label) : label,
  )
  return html`${render(visible)}${folded.length > 0 && html`<details class="more"><summary>${translate('More fields')} <span class="muted">${[...new Set(names)].join(', ')}</span></summary>${render(folded)}</details>`}`
}

/** Number of fields up to which nothing is folded. */
const FEW = 6

/** Texts that the form derives from other texts: the slug from the name. */
const isMadeUp = ({ madeFrom, input }: Control): boolean =>
  madeFrom !== undefined && input.kind === 'text' && /^[a-z0-9_-]*$/.test(input.value)

/** Whether the input is not empty. */
export const hasValue = (input: InputControl): boolean => {
  switch (input.kind) {
    case 'text':
    case 'lines':
    case 'conditions':
      return input.value !== ''
    case 'checkbox':
      return input.isChecked
    case 'file':
      return (input.stored ?? '') !== ''
    case 'checks':
      return input.chosen.length > 0 || (input.others ?? '') !== ''
    default:
      return input.chosen.some((value) => (typeof value === 'string' ? value : value.value) !== '')
  }
}

function formGroup(
  { label, controls }: EditForm['groups'][number],
  errors: ReadonlyMap<string, readonly Message[]>,
  focused: string | undefined,
): Html {
  const fields = controls.map((control) =>
    controlField(
      {
        ...control,
        errors: errors.get(control.name) ?? [],
        isFocused: control.name === focused,
      },
      PREFIX,
    ),
  )
  const isDependent = controls.some(({ dependsOn }) => dependsOn !== undefined)
  const update: Content =
    isDependent &&
    html`<noscript><div class="buttons"><button name="_refresh" value="1" class="quiet">${translate('Update choices')}</button></div></noscript>`
  return html`<fieldset class="card"><legend class="${label === '' && 'visually-hidden'}">${label || translate('More')}</legend><div class="fields">${fields}</div>${update}</fieldset>`
}

/** Names of refusals that concern no single field. */
const OVERALL: ReadonlySet<string> = new Set(['', '__all__', 'non_field_errors', 'detail'])

interface FormErrors {
  /** By the name of the control. */
  readonly at: ReadonlyMap<string, readonly Message[]>
  /** Messages that no control shows. */
  readonly other: readonly Html[]
}

export function errorsOf(
  controls: readonly Control[],
  messages: FormMessages | undefined,
  labelOf: (path: string) => string = (path) => path,
): FormErrors {
  const names = new Map(
    controls.flatMap(({ name, keys }) => [name, ...Object.values(keys ?? {})].map((path) => [path, name] as const)),
  )
  const at = new Map<string, Message[]>()
  const other: Html[] = []
  for (const [path, texts] of errorsByName(messages)) {
    const name = controlAt(names, path) ?? customFieldIn(names, texts)
    if (name !== undefined) at.set(name, [...new Set([...(at.get(name) ?? []), ...texts])])
    else {
      const label = OVERALL.has(path) ? '' : `${labelOf(path)}: `
      other.push(html`${label}${texts.map((text, index) => html`${index > 0 && ' '}${text}`)}`)
    }
  }
  return { at, other }
}

/** The control that shows errors at this path: its own, or the one whose value contains the path. */
function controlAt(names: ReadonlyMap<string, string>, path: string): string | undefined {
  if (names.has(path)) return names.get(path)
  const point = path.lastIndexOf('.')
  return point < 0 ? undefined : controlAt(names, path.slice(0, point))
}

/** The API reports an invalid custom field for the whole object; its name is in the message. */
function customFieldIn(names: ReadonlyMap<string, string>, texts: readonly Message[]): string | undefined {
  const [, name] = /custom field '(\w+)'/.exec(texts.join(' ')) ?? []
  return name !== undefined && names.has(`custom_fields.${name}`) ? `custom_fields.${name}` : undefined
}

/** Messages by field, each once; those of nested documents by path: `custom_fields.x`. */
export function errorsByName(messages: FormMessages | undefined): ReadonlyMap<string, readonly Message[]> {
  const byPath = new Map<string, Set<Message>>()
  const visit = (part: FormMessages, path: string): void => {
    if (typeof part === 'string' || part instanceof Html) byPath.set(path, (byPath.get(path) ?? new Set()).add(part))
    else if (Array.isArray(part)) for (const item of part) visit(item, path)
    else for (const [name, inner] of Object.entries(part)) visit(inner, path === '' ? name : `${path}.${name}`)
  }
  if (messages !== undefined) visit(messages, '')
  return new Map([...byPath].map(([path, texts]) => [path, [...texts]]))
}

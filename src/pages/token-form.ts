import { type Control, controlView } from './control.ts'
import { type Content, type Html, html } from './html.ts'

/** What stands in the fields of a token's form, as texts. */
export interface TokenValues {
  readonly description: string
  /** `2026-12-31T23:59`, UTC; empty: never. */
  readonly expires: string
  readonly allowedIps: string
  readonly mayWrite: boolean
  readonly isEnabled: boolean
  /** Settled when the token is made. */
  readonly version: '1' | '2'
}

/** A form for a token, new or not. */
export interface TokenForm {
  /** Path that it is sent to, base path and all. */
  readonly action: string
  readonly csrfToken: string | undefined
  readonly isNew: boolean
  readonly values: TokenValues
  /** Refusals by the API's names of fields; under any other name: of the token as a whole. */
  readonly errors: ReadonlyMap<string, readonly string[]>
}

export function tokenForm(form: TokenForm): Html {
  const controls = controlsOf(form)
  const names = new Set(controls.map(({ name }) => name))
  const others = [...form.errors].filter(([name]) => !names.has(name)).flatMap(([, texts]) => texts)
  return html`<form method="post" action="${form.action}">
${csrfField(form.csrfToken)}
${others.length > 0 && html`<p class="notice bad" role="alert">${others.join(' ')}</p>`}
<div class="fields">${controls.map((control) => controlView(control, 'token'))}</div>
<div class="buttons"><button>${form.isNew ? 'Create token' : 'Save'}</button></div>
</form>`
}

/** Shows the service that the form comes from its own page. */
export const csrfField = (token: string | undefined): Content =>
  token !== undefined && html`<input type="hidden" name="csrfmiddlewaretoken" value="${token}">`

function controlsOf({ isNew, values, errors }: TokenForm): readonly Control[] {
  const { description, expires, allowedIps, mayWrite, isEnabled, version } = values
  const controls: readonly Control[] = [
    {
      name: 'description',
      label: 'Description',
      help: 'What the token is for',
      input: { kind: 'text', type: 'text', value: description, max: 200 },
    },
    {
      name: 'expires',
      label: 'Expires (UTC)',
      help: 'Never, where this is empty',
      input: { kind: 'text', type: 'datetime-local', value: expires },
    },
    {
      name: 'allowed_ips',
      label: 'Allowed addresses',
      help: 'Networks such as 10.0.0.0/8 or 2001:db8::/32, one a line; empty: from anywhere',
      input: { kind: 'lines', value: allowedIps, rows: 2 },
    },
    {
      name: 'write_enabled',
      label: 'May write',
      help: 'Otherwise the token only reads',
      input: { kind: 'checkbox', isChecked: mayWrite },
    },
    {
      name: 'enabled',
      label: 'Enabled',
      input: { kind: 'checkbox', isChecked: isEnabled },
    },
    ...(isNew ? [versionControl(version)] : []),
  ]
  return controls.map((control) => ({ ...control, errors: errors.get(control.name) ?? [] }))
}

const versionControl = (version: TokenValues['version']): Control => ({
  name: 'version',
  label: 'Version',
  help: 'Version 1 works with every client; the beginning of a version 2 token may be shown to others',
  input: {
    kind: 'select',
    options: [
      { value: '1', label: '1: 40 characters' },
      { value: '2', label: '2: nbt_…' },
    ],
    chosen: [version],
  },
})

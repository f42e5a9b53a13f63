import { API_VERSIONS } from '../../base/api-version.ts'
import { type Control, controlField } from '../components/control.ts'
import { csrfField } from '../components/csrf-field.ts'
import { type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** Values of a token's form fields, as texts. */
export interface TokenValues {
  readonly description: string
  /** `2026-12-31T23:59`, UTC; empty: never. */
  readonly expires: string
  readonly allowedIps: string
  readonly mayWrite: boolean
  readonly isForAgent: boolean
  readonly isEnabled: boolean
  /** Fixed when the token is created. */
  readonly version: '1' | '2'
  /** Empty: the default of the service. */
  readonly apiVersion: string
}

/** A form for a new or existing token. */
export interface TokenForm {
  /** Path to which it is submitted, with the base path. */
  readonly action: string
  readonly csrfToken: string | undefined
  readonly isNew: boolean
  readonly values: TokenValues
  /** Error messages by the API's field names; other names apply to the token as a whole. */
  readonly errors: ReadonlyMap<string, readonly string[]>
  /** Version of the API that the service has by default. */
  readonly servedVersion: string
}

export function tokenForm(form: TokenForm): Html {
  const controls = controlsOf(form)
  const names = new Set(controls.map(({ name }) => name))
  const formErrors = [...form.errors].filter(([name]) => !names.has(name)).flatMap(([, texts]) => texts)
  return html`<form class="edit" method="post" action="${form.action}">
${csrfField(form.csrfToken)}
${formErrors.length > 0 && html`<p class="notice bad" role="alert">${formErrors.join(' ')}</p>`}
<div class="fields">${controls.map((control) => controlField(control, 'token'))}</div>
<div class="buttons"><button>${form.isNew ? translate('Create token') : translate('Save')}</button></div>
</form>`
}

function controlsOf({ isNew, values, errors, servedVersion }: TokenForm): readonly Control[] {
  const { description, expires, allowedIps, mayWrite, isForAgent, isEnabled, version, apiVersion } = values
  const controls: readonly Control[] = [
    {
      name: 'description',
      label: translate('Description'),
      help: translate('What the token is for'),
      input: { kind: 'text', type: 'text', value: description, max: 200 },
    },
    {
      name: 'expires',
      label: translate('Expires (UTC)'),
      help: translate('Leave empty for a token that never expires'),
      input: { kind: 'text', type: 'datetime-local', value: expires },
    },
    {
      name: 'allowed_ips',
      label: translate('Allowed addresses'),
      help: translate('Networks such as 10.0.0.0/8 or 2001:db8::/32, one per line; leave empty to allow every address'),
      input: { kind: 'lines', value: allowedIps, rows: 2 },
    },
    {
      name: 'write_enabled',
      label: translate('Allow changes'),
      help: translate('Otherwise the token is read-only'),
      input: { kind: 'checkbox', isChecked: mayWrite },
    },
    {
      name: 'plans_only',
      label: translate('For an agent'),
      help: translate('The token writes only by plans at /mcp, which a person reviews, and never directly'),
      input: { kind: 'checkbox', isChecked: isForAgent },
    },
    {
      name: 'enabled',
      label: translate('Enabled'),
      input: { kind: 'checkbox', isChecked: isEnabled },
    },
    {
      name: 'api_version',
      label: translate('API version'),
      help: translate('For requests that do not name a version'),
      input: {
        kind: 'select',
        options: [
          { value: '', label: translate('Same as the service: {version}', { version: servedVersion }) },
          ...API_VERSIONS.map((version) => ({ value: version, label: version })),
        ],
        chosen: [apiVersion],
      },
    },
    ...(isNew ? [versionControl(version)] : []),
  ]
  return controls.map((control) => ({ ...control, errors: errors.get(control.name) ?? [] }))
}

const versionControl = (version: TokenValues['version']): Control => ({
  name: 'version',
  label: translate('Version'),
  help: translate('Version 1 (40 characters) works with every client. Version 2 is recommended.'),
  input: {
    kind: 'select',
    options: [
      { value: '1', label: translate('1: 40 characters') },
      { value: '2', label: '2: nbt_…' },
    ],
    chosen: [version],
  },
})

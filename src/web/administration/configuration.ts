import type { ApiRequest } from '../../api/api-request.ts'
import type { FormValues } from '../../api/transport/body.ts'
import { ConfigurationError } from '../../base/errors.ts'
import {
  changeConfiguration,
  currentStates,
  listRevisions,
  type Revision,
  restoreRevision,
} from '../../changes/configuration-revisions.ts'
import { DYNAMIC_NAMES, revisedValue, type SettingState } from '../../config/dynamic-settings.ts'
import { firstCharacters } from '../../schema/shortened.ts'
import type { Control, InputControl, Option } from '../components/control.ts'
import { csrfField } from '../components/csrf-field.ts'
import { panel } from '../components/panel.ts'
import { timestampDisplay } from '../components/value.ts'
import { editForm } from '../forms/edit-form.ts'
import { textIn } from '../forms/form-texts.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { requireSuperuser } from './require-superuser.ts'
import { SETTING_GROUPS, type SettingWords } from './setting-words.ts'

const PATH = '/core/config-revisions/'
const TITLE = 'Configuration'
/** Field with the reason for a change; no setting has lower-case letters. */
const COMMENT = 'comment'
const LONGEST_COMMENT = 200

/**
 * GET and POST of the settings that may change while the service runs: a form, and the earlier revisions, each of which can be
 * restored. For superusers.
 */
export async function configurationPage(request: ApiRequest): Promise<PageResponse> {
  requireSuperuser(request)
  const { service } = request
  const form = request.method === 'POST' ? await request.body.form() : undefined
  if (!form) return await page(request, undefined)
  try {
    const restored = Number(form.get('restore')?.at(-1))
    if (Number.isSafeInteger(restored)) await restoreRevision(service, restored)
    else await change(request, form)
    return seeOther(`${service.settings.basePath}${PATH}`)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return await page(request, { form, sentence: error.message })
  }
}

/** Stores the values that differ from the current ones; a value that equals the default is not stored. Throws ConfigurationError. */
async function change({ service }: ApiRequest, form: FormValues): Promise<void> {
  const states = await currentStates(service)
  const changes = states.flatMap((state) => {
    const text = textFrom(form, state)
    if (text === undefined || text === textOf(state)) return []
    const isDefault = text === '' || text === notation(state.default)
    return [[state.name, isDefault ? undefined : revisedValue(state.name, text)] as const]
  })
  const comment = firstCharacters(textIn(form, COMMENT), LONGEST_COMMENT)
  if (changes.length > 0) await changeConfiguration(service, Object.fromEntries(changes), comment)
}

/** Hidden field of the form: a check box that was not sent is not checked. */
const HAS_SWITCHES = 'switches'

/** The sent value; undefined if the form does not have it. */
function textFrom(form: FormValues, state: SettingState): string | undefined {
  if (state.source === 'environment') return undefined
  const text = form.get(state.name)?.at(-1)
  if (typeof state.default === 'boolean' && text === undefined && form.has(HAS_SWITCHES)) return 'false'
  return typeof text === 'string' ? text : undefined
}

/** A value in the notation of the environment. */
const textOf = ({ value }: SettingState): string => notation(value)

const notation = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

interface Refused {
  readonly form: FormValues
  readonly sentence: string
}

async function page(request: ApiRequest, refused: Refused | undefined): Promise<PageResponse> {
  const { service, csrfToken } = request
  const [states, revisions] = await Promise.all([currentStates(service), listRevisions(service.database)])
  return {
    title: translate(TITLE),
    status: refused ? 400 : 200,
    styles: ['inputs.css', 'objects.css'],
    breadcrumbs: [{ label: translate(TITLE), path: PATH }],
    body: html`<h1>${translate(TITLE)}</h1>
<p class="muted">${translate('These settings can be changed while the service runs. Settings from the environment take precedence and cannot be changed here.')}</p>
${editForm({
  action: request.url.pathname,
  csrfToken,
  hidden: { [HAS_SWITCHES]: '1' },
  groups: [
    ...SETTING_GROUPS.map(({ label, settings }) => ({
      label: translate(label),
      controls: states
        .filter(({ name }) => settings[name])
        .map((state) => controlFor(state, settings[state.name], refused)),
    })),
    {
      label: translate('Further settings'),
      controls: states.filter(({ name }) => !NAMED.has(name)).map((state) => controlFor(state, undefined, refused)),
    },
    { label: translate('Reason'), controls: [reason()] },
  ].filter(({ controls }) => controls.length > 0),
  messages: refused?.sentence,
  submit: translate('Save as a new revision'),
  cancel: `${service.settings.basePath}/`,
})}
${panel(translate('Revisions'), revisionList(request, revisions))}`,
  }
}

const reason = () =>
  ({
    name: COMMENT,
    label: translate('Reason for the change'),
    input: { kind: 'text', type: 'text', value: '', max: LONGEST_COMMENT },
  }) as const

const NAMED: ReadonlySet<string> = new Set(SETTING_GROUPS.flatMap(({ settings }) => Object.keys(settings)))

function controlFor(state: SettingState, words: SettingWords | undefined, refused: Refused | undefined): Control {
  const { name, source } = state
  const origin =
    source === 'environment'
      ? translate('Set by the environment: {value}', { value: textOf(state) })
      : translate('Default: {value}.', { value: defaultText(state.default).replace(/\.$/, '') || translate('empty') })
  const label = words ? translate(words.label) : name
  return {
    name,
    label: words?.unit ? `${label} (${translate(words.unit)})` : label,
    help: [words ? words.help && translate(words.help) : `${state.help}.`, origin, name].filter(Boolean).join(' '),
    input: inputFor(state, words, refused?.form.get(name)?.at(-1)),
  }
}

const labelled = (value: string, words: SettingWords | undefined): Option => {
  const label = words?.options?.[value]
  return { value, label: label ? translate(label) : value }
}

const defaultText = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? translate('on') : translate('off')) : notation(value)

/** A switch, a number, a choice or a text, as the type of the setting requires. */
function inputFor(state: SettingState, words: SettingWords | undefined, entered: unknown): InputControl {
  const value = typeof entered === 'string' ? entered : textOf(state)
  if (typeof state.default === 'boolean') return { kind: 'checkbox', isChecked: value === 'true' }
  if (state.options)
    return {
      kind: 'select',
      options: state.options.map((option) => labelled(option, words)),
      chosen: [value],
    }
  if (typeof state.default === 'number') return { kind: 'text', type: 'number', value, limits: { min: '0', step: '1' } }
  if (typeof state.default === 'object') return { kind: 'lines', value, rows: 4 }
  return { kind: 'text', type: 'text', value }
}

function revisionList(request: ApiRequest, revisions: readonly Revision[]): Content {
  if (revisions.length === 0) return html`<p>${translate('No revisions yet: the defaults apply.')}</p>`
  return html`<ul class="plain">${revisions.map(
    ({ id, active, created, comment, data }) => html`<li><form method="post">${csrfField(request.csrfToken)}
<strong>#${id}</strong> ${timestampDisplay(created)} ${comment} ${active ? html`<strong>${translate('active')}</strong>` : html`<button class="quiet" name="restore" value="${id}">${translate('Restore')}</button>`}
<code>${JSON.stringify(Object.fromEntries(Object.entries(data).filter(([name]) => DYNAMIC_NAMES.includes(name))))}</code></form></li>`,
  )}</ul>`
}

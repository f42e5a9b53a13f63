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

/** Stores the values that differ from the current ones. Throws ConfigurationError. */
async function change({ service }: ApiRequest, form: FormValues): Promise<void> {
  const states = await currentStates(service)
  const changes = states.flatMap((state) => {
    const text = form.get(state.name)?.at(-1)
    if (typeof text !== 'string' || text === textOf(state)) return []
    return [[state.name, text === '' ? undefined : revisedValue(state.name, text)] as const]
  })
  const comment = textIn(form, COMMENT).slice(0, LONGEST_COMMENT)
  if (changes.length > 0) await changeConfiguration(service, Object.fromEntries(changes), comment)
}

/** A value in the notation of the environment; empty if nothing is set. */
const textOf = ({ value, source }: SettingState): string => (source === 'default' ? '' : notation(value))

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
<p class="muted">${translate('These settings can be changed while the service runs. An empty field means the default. Settings from the environment take precedence and cannot be changed here.')}</p>
${editForm({
  action: request.url.pathname,
  csrfToken,
  groups: [
    {
      label: translate('Settings'),
      controls: [...states.map((state) => controlFor(state, refused)), reason()],
    },
  ],
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

function controlFor(state: SettingState, refused: Refused | undefined) {
  const { name, help, source, value } = state
  const entered = refused?.form.get(name)?.at(-1)
  const isFixed = source === 'environment'
  return {
    name,
    label: name,
    help: `${help} ${isFixed ? translate('Set by the environment: {value}', { value: notation(value) }) : translate('Default: {value}.', { value: source === 'default' ? notation(value) || translate('empty') : translate('see the documentation') })}`,
    input: {
      kind: 'text',
      type: 'text',
      value: typeof entered === 'string' ? entered : textOf(state),
    },
  } as const
}

function revisionList(request: ApiRequest, revisions: readonly Revision[]): Content {
  if (revisions.length === 0) return html`<p>${translate('No revisions yet: the defaults apply.')}</p>`
  return html`<ul class="plain">${revisions.map(
    ({ id, active, created, comment, data }) => html`<li><form method="post">${csrfField(request.csrfToken)}
<strong>#${id}</strong> ${timestampDisplay(created)} ${comment} ${active ? html`<strong>${translate('active')}</strong>` : html`<button class="quiet" name="restore" value="${id}">${translate('Restore')}</button>`}
<code>${JSON.stringify(Object.fromEntries(Object.entries(data).filter(([name]) => DYNAMIC_NAMES.includes(name))))}</code></form></li>`,
  )}</ul>`
}

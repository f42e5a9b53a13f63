import type { ApiRequest } from '../../api/api-request.ts'
import type { PackSetting } from '../../schema/packs/pack-document.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import type { Control } from '../components/control.ts'
import { shownPlural } from '../components/model-title.ts'
import { editForm } from '../forms/edit-form.ts'
import { textIn } from '../forms/form-texts.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { html } from '../html.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { changeablePack, changePack } from './change-pack.ts'
import type { PackState } from './pack-state.ts'

/** Last segment of the page with the settings of a pack. */
export const SETTINGS = 'settings/'

/** GET and POST of `…/<id>/settings/`: a form with the settings that the pack declares. */
export async function packSettingsPage(request: ApiRequest, model: Model): Promise<PageResponse> {
  const pack = await changeablePack(request, model)
  const page = `${pagePathOf(model)}${pack.id}/`
  let refusal: string | undefined
  let shown = pack.settings
  if (request.method === 'POST') {
    const form = await request.body.form()
    shown = pack.settings.map((entry) => ({ ...entry, value: valueFrom(entry.setting, textIn(form, entry.name)) }))
    // A value that equals the default follows it.
    const own = shown.filter(({ value, setting }) => value !== setting.default)
    const changed = await changePack(request, model, {
      settings: Object.fromEntries(own.map(({ name, value }) => [name, value])),
    })
    if (!('refusal' in changed)) return changed
    refusal = changed.refusal
  }
  const title = translate('Settings of {name}', { name: pack.label })
  return {
    title,
    model,
    status: refusal === undefined ? 200 : 400,
    styles: ['inputs.css', 'edit.css'],
    breadcrumbs: [
      { label: shownPlural(model), path: pagePathOf(model) ?? '/' },
      { label: pack.label, path: page },
      { label: title, path: `${page}${SETTINGS}` },
    ],
    body: html`<div class="heading"><h1>${title}</h1></div>${editForm({
      action: request.url.pathname,
      csrfToken: request.csrfToken,
      groups: [{ label: '', controls: shown.map(controlOf) }],
      messages: refusal,
      submit: translate('Save'),
      cancel: `${request.service.settings.basePath}${page}`,
    })}`,
  }
}

/** The value that a control sent; the rules of packs refuse one that does not fit. */
function valueFrom({ kind }: PackSetting, text: string): string | number | boolean {
  if (kind === 'boolean') return text === 'true'
  return kind === 'integer' && /^-?\d+$/.test(text.trim()) ? Number(text) : text
}

function controlOf({ name, setting, value }: PackState['settings'][number]): Control {
  const { kind, label = name, help, choices = [] } = setting
  const text = String(value)
  const inputs = {
    text: () => ({ kind: 'text', type: 'text', value: text }),
    integer: () => ({ kind: 'text', type: 'number', value: text }),
    boolean: () => ({ kind: 'checkbox', isChecked: value === true }),
    choice: () => ({ kind: 'select', options: choices.map((each) => ({ value: each, label: each })), chosen: [text] }),
  } as const satisfies Record<PackSetting['kind'], () => Control['input']>
  return { name, label: translateLabel(label), input: inputs[kind](), ...(help !== undefined && { help }) }
}

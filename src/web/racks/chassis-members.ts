import type { ApiRequest } from '../../api/api-request.ts'
import { errorResponse } from '../../api/errors.ts'
import { ID } from '../../api/routes.ts'
import type { FormValues } from '../../api/transport/body.ts'
import { updateMany } from '../../api/verbs/update.ts'
import { ApiError } from '../../base/errors.ts'
import { mayAct, requirePermission } from '../../identity/permitted-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import type { Control } from '../components/control.ts'
import { csrfField } from '../components/csrf-field.ts'
import { shownPlural, shownTitle } from '../components/model-title.ts'
import { panel } from '../components/panel.ts'
import { EMPTY } from '../components/value.ts'
import { sending } from '../data/inner-request.ts'
import { mayActOn, permittedIds, readOne, visibleObjects } from '../data/page-objects.ts'
import { editGroups } from '../forms/edit-controls.ts'
import { editForm, type FormMessages } from '../forms/edit-form.ts'
import { textIn } from '../forms/form-texts.ts'
import { withPickers } from '../forms/pickers.ts'
import type { ObjectPart, PageObject } from '../frame/object-content.ts'
import { objectHeading } from '../frame/object-heading.ts'
import type { ModelPage } from '../frame/page-endpoint.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { withEffect } from '../frame/saved-notice.ts'
import { type Content, html } from '../html.ts'
import { objectRows } from '../lists/object-rows.ts'
import { translate } from '../texts/translate.ts'

const CHASSIS = 'dcim.virtualchassis'
const DEVICE = 'dcim.device'
/** Last segment of the path of the form for a member. */
const PATH = 'members'

/** The members of a virtual chassis with their positions, and links to add, change and remove them. */
export const chassisMembersPart: ObjectPart = {
  models: [CHASSIS],
  pages: () => [[`${ID}/${PATH}/`, 'GET POST', memberPage]],
  load: async (page) => {
    const device = page.request.service.registry.model(DEVICE)
    if (!mayAct(page.request.actor, 'view', device, page.request.service.settings)) return {}
    return { below: await memberPanel(page, device) }
  },
}

async function memberPanel({ request, model, object }: PageObject, device: Model): Promise<Content> {
  const { actor, service } = request
  const { settings } = service
  const form = `${settings.basePath}${pagePathOf(model)}${object.id}/${PATH}/`
  const mayChange = mayAct(actor, 'change', device, settings)
  const mayChoose = await mayActOn(request, 'change', model, Number(object.id))
  const master = isJsonObject(object.master) ? object.master.id : undefined
  const act = (name: 'master' | 'remove', id: unknown, label: string): Content =>
    html`<form class="inline" method="post" action="${form}">${csrfField(request.csrfToken)}<input type="hidden" name="device" value="${Number(id)}"><button class="small quiet" name="do" value="${name}">${label}</button></form>`
  const { table, count } = await objectRows(request, device, {
    query: new URLSearchParams({
      virtual_chassis_id: String(object.id),
      ordering: 'vc_position',
      limit: '0',
    }),
    columns: ['name', 'vc_position', 'vc_priority', 'device_type', 'status'],
    label: translate('Members'),
    further: {
      fields: [],
      headings: [translate('Master')],
      load: async (members) => {
        const ids = members.map(({ id }) => Number(id))
        const changeable = new Set(await permittedIds(request, 'change', device, ids))
        return ({ id }) => ({
          cells: [id === master ? html`<span class="badge green">${translate('Master')}</span>` : EMPTY],
          actions: html`${mayChoose && id !== master && act('master', id, translate('Make master'))} ${changeable.has(Number(id)) && html`<a href="${form}?device=${Number(id)}">${translate('Edit')}</a> ${act('remove', id, translate('Remove'))}`}`,
        })
      },
    },
  })
  return panel(
    translate('Members'),
    count === 0 ? html`<p class="muted">${translate('None')}</p>` : table,
    mayChange && html`<a class="button small quiet" href="${form}">+ ${translate('Add member')}</a>`,
  )
}

/** GET and POST of `…/<id>/members/`: a form for a member, and the buttons of the list of members. */
async function memberPage(request: ApiRequest, model: Model): ReturnType<ModelPage> {
  const { registry, settings } = request.service
  const device = registry.model(DEVICE)
  requirePermission(request.actor, 'change', device, settings)
  const { object } = await readOne(request, model)
  const form = request.method === 'POST' ? await request.body.form() : undefined
  if (!form) return await formOf(request, model, object, lastValue(request.search, 'device'))
  const id = Number(textIn(form, 'device'))
  try {
    if (textIn(form, 'do') === 'master') {
      await updateMany(sending(request, 'PATCH', [{ id: object.id, master: id }]), model)
    } else {
      await updateMany(sending(request, 'PATCH', [{ id, ...placeIn(object, form) }]), device)
    }
    const page = `${settings.basePath}${pagePathOf(model)}${object.id}/`
    return seeOther(withEffect(page, 'done', request))
  } catch (error) {
    const status = error instanceof ApiError ? (errorResponse(error)?.status ?? 400) : 500
    if (!(error instanceof ApiError) || status >= 500) throw error
    const { reason } = error
    const messages = reason.kind === 'invalid' ? reason.messages : error.message
    return await formOf(request, model, object, textIn(form, 'device'), { form, messages, status })
  }
}

/** The form's values for the device: its position in the chassis, or none. */
function placeIn({ id }: JsonObject, form: FormValues): JsonObject {
  if (textIn(form, 'do') === 'remove') return { virtual_chassis: null, vc_position: null, vc_priority: null }
  const numberIn = (name: string): number | string | null => {
    const text = textIn(form, name).trim()
    // The API refuses a value that is not a number.
    return text === '' ? null : /^\d+$/.test(text) ? Number(text) : text
  }
  return {
    virtual_chassis: id ?? null,
    vc_position: numberIn('vc_position'),
    vc_priority: numberIn('vc_priority'),
  }
}

interface Refused {
  readonly form: FormValues
  readonly messages: FormMessages
  readonly status: number
}

async function formOf(
  request: ApiRequest,
  model: Model,
  object: JsonObject,
  chosen: string | undefined,
  refused?: Refused,
): Promise<PageResponse> {
  const { registry, settings } = request.service
  const device = registry.model(DEVICE)
  const id = /^\d{1,15}$/.test(chosen ?? '') ? Number(chosen) : undefined
  const places = ['vc_position', 'vc_priority']
  const fields = ['id', 'display', ...places]
  const member = id === undefined ? undefined : (await visibleObjects(request, device, [id], fields)).get(id)
  const groups = await editGroups(request, device, member)
  const ownControls = groups
    .flatMap(({ controls }) => controls)
    .filter(({ name }) => places.includes(name))
    .map((control): Control => {
      const text = refused && textIn(refused.form, control.name)
      const { input } = control
      return text === undefined || input.kind !== 'text' ? control : { ...control, input: { ...input, value: text } }
    })
  const choice: Control = {
    name: 'device',
    label: shownTitle(device),
    isRequired: true,
    input: {
      kind: 'objects',
      collection: `/api/${device.path}/`,
      key: 'id',
      isMultiple: false,
      chosen: id === undefined ? [] : [{ value: String(id) }],
    },
  }
  const title = member ? translate('Edit {name}', { name: String(member.display) }) : translate('Add member')
  const page = `${pagePathOf(model)}${object.id}/`
  return {
    title: `${title} · ${object.display}`,
    model,
    status: refused?.status ?? 200,
    styles: ['inputs.css', 'objects.css', 'object.css', 'edit.css'],
    scripts: ['edit-form.client.ts'],
    breadcrumbs: [
      { label: shownPlural(model), path: pagePathOf(model) ?? '/' },
      { label: String(object.display), path: page },
      { label: title, path: `${page}${PATH}/` },
    ],
    body: html`${objectHeading({ request, model, object })}${editForm({
      action: request.url.pathname,
      csrfToken: request.csrfToken,
      groups: [
        {
          label: title,
          controls: await withPickers(request, [choice, ...ownControls], { narrowedBy: {} }),
        },
      ],
      messages: refused?.messages,
      submit: translate('Save'),
      cancel: `${settings.basePath}${page}`,
      focusesFirst: true,
    })}`,
  }
}

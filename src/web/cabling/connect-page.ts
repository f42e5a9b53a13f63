import type { ApiRequest } from '../../api/api-request.ts'
import { errorResponse } from '../../api/errors.ts'
import { wholeResponse } from '../../api/response.ts'
import { createFrom } from '../../api/verbs/create.ts'
import { ApiError, type Messages } from '../../base/errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import type { Control } from '../components/control.ts'
import { shownPlural, shownTitle } from '../components/model-title.ts'
import { linkToObject } from '../components/value.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import { sending } from '../data/inner-request.ts'
import { visibleObjects } from '../data/page-objects.ts'
import { bodyOfForm } from '../forms/form-body.ts'
import { type FormTexts, textsOfForm, withTexts } from '../forms/form-texts.ts'
import { expandPattern } from '../forms/name-pattern.ts'
import { withPickers } from '../forms/pickers.ts'
import { RETURN, returnPath, withParameters } from '../forms/return-path.ts'
import { touchedControls } from '../forms/touched.ts'
import type { ModelPageRow } from '../frame/page-endpoint.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { countParameters, modelParameter } from '../frame/saved-notice.ts'
import { type Content, html } from '../html.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { CABLING_MODELS } from './cabling-models.ts'
import { COUNT, ORDER, orderControls, REVERSED, sharedControls, sideControls } from './connect-controls.ts'
import { type PairRow, pairsForm, sidesForm } from './connect-form.ts'
import { CONNECT } from './connect-link.ts'
import { type ConnectSide, endLists, freePorts, sideIn, sideNames } from './connect-sides.ts'
import { type EnteredPairs, enteredPairs, fitTogether, type Port, pairPorts } from './port-pairs.ts'

/** Both sides with their free ports. */
interface Sides {
  readonly a: ConnectSide
  readonly b: ConnectSide
  readonly near: readonly Port[]
  readonly far: readonly Port[]
}

/** The content of the preview. */
interface FormState {
  readonly rows: readonly PairRow[]
  readonly shared: readonly Control[]
  readonly messages: readonly string[]
  readonly status: number
}

/** GET and POST of `/dcim/cables/connect/`: connects ports of one device to ports of another, in order. */
async function connectPage(request: ApiRequest, cable: Model): Promise<PageResponse> {
  requirePermission(request.actor, 'add', cable, request.service.settings)
  const sides = await sidesOf(request)
  if (!sides || typeof sides === 'string') {
    return await page(request, cable, sides && html`<p class="notice warn">${sides}</p>`, 200)
  }
  const form = request.method === 'POST' ? await request.body.form() : undefined
  const shared = await sharedControls(request)
  if (!form) {
    const rows = proposedRows(request, sides)
    return await preview(request, cable, sides, { rows, shared, messages: [], status: 200 })
  }
  const texts = textsOfForm(form)
  const filled = shared.map((control) => withTexts(control, texts.get(control.name) ?? []))
  const pairs = enteredPairs(sides.near, sides.far, texts)
  const refused = (messages: readonly string[], status: number, rows = pairs.rows) =>
    preview(request, cable, sides, { rows, shared: filled, messages, status })
  if (pairs.hasErrors) return await refused([], 400)
  if (pairs.ends.length === 0)
    return await refused(
      [translate('No pair is checked.')],
      400,
      pairs.rows.length > 0 ? pairs.rows : proposedRows(request, sides),
    )
  const groups = [{ label: '', controls: shared }]
  const { body, errors } = bodyOfForm(touchedControls(groups, [{ label: '', controls: filled }], texts, false), form)
  if (errors.size > 0) return await refused([...errors.values()].flat(), 400)
  const labels = labelsOf(texts, pairs)
  if (!labels) {
    return await refused([translate('The pattern of the label must produce as many labels as there are pairs.')], 400)
  }
  const bodies = pairs.ends.map(({ near, far }, index) => ({
    ...body,
    ...(labels.length > 0 && { label: labels[index] ?? '' }),
    a_terminations: [{ object_type: sides.a.model.name, object_id: near }],
    b_terminations: [{ object_type: sides.b.model.name, object_id: far }],
  }))
  try {
    await wholeResponse(await createFrom(sending(request, 'POST', bodies), cable, bodies))
  } catch (error) {
    const response = error instanceof ApiError ? errorResponse(error) : undefined
    if (!(error instanceof ApiError) || !response || response.status >= 500) throw error
    const messages = error.reason.kind === 'invalid' ? error.reason.messages : error.message
    const rows = rowsWithErrors(pairs, messages)
    return await refused(rows === pairs.rows ? textsIn(messages) : [], response.status, rows)
  }
  return seeOther(afterConnecting(request, cable, sides, bodies.length))
}

/** The labels of the cables: none, or the values of the pattern; undefined if their number does not fit. */
function labelsOf(texts: FormTexts, { ends }: EnteredPairs): readonly string[] | undefined {
  const label = texts.get('label')?.[0]?.trim() ?? ''
  const labels = label === '' ? [] : expandPattern(label)
  if (labels?.length === 1) return ends.map(() => label)
  return labels?.length === 0 || labels?.length === ends.length ? labels : undefined
}

async function sidesOf(request: ApiRequest): Promise<Sides | string | undefined> {
  const [a, b] = [sideIn(request, 'a'), sideIn(request, 'b')]
  if (!a || !b) return undefined
  const fitting = endLists(request).b.opposite?.types[a.model.name] ?? []
  if (!fitting.includes(b.model.name)) {
    return translate('A cable cannot connect these: {a}, {b}.', {
      a: shownTitle(a.model),
      b: shownTitle(b.model),
    })
  }
  const [near, far] = await Promise.all([freePorts(request, a), freePorts(request, b)])
  if (near.length === 0 || far.length === 0) {
    return near.length === 0
      ? translate('Side A has no free ports of this kind.')
      : translate('Side B has no free ports of this kind.')
  }
  // A device can be connected to itself, each port once.
  const isSame = a.device === b.device && a.model === b.model
  return { a, b, near, far: isSame ? far.toReversed() : far }
}

function proposedRows({ search }: ApiRequest, { near, far }: Sides): readonly PairRow[] {
  const count = Number(lastValue(search, COUNT) || Number.POSITIVE_INFINITY)
  const pairs = pairPorts(near, far, {
    firstA: lastValue(search, sideNames('a').first)?.trim() ?? '',
    firstB: lastValue(search, sideNames('b').first)?.trim() ?? '',
    most: Number.isNaN(count) ? 0 : Math.max(count, 0),
    isReversed: lastValue(search, ORDER) === REVERSED,
  })
  return pairs.map(({ a, b }) => ({ id: a.id, name: a.name, far: b.name, isChosen: fitTogether(a, b) }))
}

/** The rows, each with the types of its ports if these do not fit together. */
function rowsWithDoubts(rows: readonly PairRow[], { near, far }: Sides): readonly PairRow[] {
  const nearPorts = new Map(near.map((port) => [port.id, port]))
  const farPorts = new Map(far.map((port) => [port.name, port]))
  return rows.map((row) => {
    const [a, b] = [nearPorts.get(row.id), farPorts.get(row.far)]
    if (!a?.type || !b?.type || fitTogether(a, b)) return row
    const types = { a: translateLabel(a.type.label), b: translateLabel(b.type.label) }
    return { ...row, doubt: translate('These types differ: {a}, {b}.', types) }
  })
}

/** The rows, each with the messages about its cable; the same rows if no message concerns them. */
function rowsWithErrors({ rows, ends }: EnteredPairs, messages: Messages): readonly PairRow[] {
  if (!Array.isArray(messages)) return rows
  const byPort = new Map(ends.map(({ near }, index) => [near, textsIn(messages[index] ?? []).join(' ')]))
  const errors = rows.map((row) => ({ ...row, error: byPort.get(row.id) || undefined }))
  return errors.some(({ error }) => error !== undefined) ? errors : rows
}

const textsIn = (messages: Messages): readonly string[] =>
  typeof messages === 'string' ? [messages] : Object.values(messages).flatMap(textsIn)

async function preview(
  request: ApiRequest,
  cable: Model,
  sides: Sides,
  { rows, shared, messages, status }: FormState,
): Promise<PageResponse> {
  if (rows.length === 0) {
    const notice = html`<p class="notice warn">${translate('There is no free port of this name.')}</p>`
    return await page(request, cable, notice, 200)
  }
  const model = request.service.registry.model(CABLING_MODELS.device)
  const ids = [sides.a.device, sides.b.device]
  const devices = await visibleObjects(request, model, ids, ['id', 'url', 'display'])
  const options = await displayOptionsOf(request, [...devices.values()])
  const nameOf = ({ device, model: ports }: ConnectSide): Content => {
    const deviceObject = devices.get(device)
    return html`${deviceObject && linkToObject(deviceObject, options)} <span class="muted">${shownPlural(ports)}</span>`
  }
  const body = pairsForm({
    action: `${request.url.pathname}${request.url.search}`,
    csrfToken: request.csrfToken,
    near: nameOf(sides.a),
    far: nameOf(sides.b),
    rows: rowsWithDoubts(rows, sides),
    offered: sides.far.map(({ name }) => name),
    shared: await withPickers(request, shared, { narrowedBy: {} }),
    messages,
  })
  return await page(request, cable, body, status)
}

async function page(request: ApiRequest, cable: Model, body: Content, status: number): Promise<PageResponse> {
  const [a = [], b = []] = await sideControls(request)
  const returnTo = returnPath(request, lastValue(request.search, RETURN))
  const sides = [
    { label: translate('A Side'), controls: a },
    { label: translate('B Side'), controls: b },
  ]
  const hidden = returnTo === undefined ? {} : { [RETURN]: returnTo }
  const list = pagePathOf(cable) ?? '/'
  return {
    title: translate('Connect ports'),
    model: cable,
    status,
    styles: ['inputs.css', 'objects.css', 'object.css', 'edit.css', 'cabling.css'],
    scripts: ['edit-form.client.ts'],
    breadcrumbs: [
      { label: shownPlural(cable), path: list },
      { label: translate('Connect ports'), path: `${list}${CONNECT}/` },
    ],
    body: html`<div class="heading"><h1>${translate('Connect ports')}</h1></div>
<p class="muted">${translate('Connects the free ports of one device to those of another, in order.')} <a href="${request.service.settings.basePath}${list}add/">${translate('Add a single cable')}</a></p>
${sidesForm(request.url.pathname, hidden, sides, orderControls(request))}${body}`,
  }
}

/** The page to return to, or the cables of the near device. */
function afterConnecting(request: ApiRequest, cable: Model, { a }: Sides, count: number): string {
  const { basePath } = request.service.settings
  const notice = countParameters(request, 'created-all', count)
  const returnTo = returnPath(request, lastValue(request.search, RETURN))
  if (returnTo !== undefined) {
    return withParameters(request, returnTo, { ...notice, ...modelParameter(cable) })
  }
  const query = new URLSearchParams({ ...notice, device_id: String(a.device) })
  return `${basePath}${pagePathOf(cable)}?${query}`
}

/** The pages about connections that only one model has. */
export const cablingPages = ({ name }: Model): readonly ModelPageRow[] =>
  name === CABLING_MODELS.cable ? [[`${CONNECT}/`, 'GET POST', connectPage]] : []

/** The form in which people ask for a network. */
import { ApiError, type ApiRequest, mayAct, pagePathOf, permittedRows, sql, table } from 'cadastre'
import {
  type Content,
  controlField,
  csrfField,
  html,
  type PageContributions,
  type PageResponse,
  panel,
  seeOther,
  sentenceOf,
  translate,
  visibleObjects,
} from 'cadastre/web'
import { ASK, askForNetwork } from './ask.ts'
import { PREFIX } from './contents.ts'

const PATH = '/ipam/ask/'
/** Prefixes that the form offers, at most. */
const MOST_OFFERED = 500

/** The prefixes in which the sender may ask for networks. Throws `forbidden` if there can be none. */
async function offeredPrefixes(request: ApiRequest) {
  const { actor, service } = request
  const { registry } = service
  const permitted = permittedRows(actor, ASK, registry.model(PREFIX), service.settings)
  const rows = await service.database.query<{
    id: number
    prefix: string
    vrf: number | null
    description: string
  }>(sql`
    select t.id, t.prefix::text as prefix, t.vrf_id as vrf, t.description from ${table(PREFIX)} t
    where ${permitted === 'all' ? sql`t.status = 'container'` : permitted}
    order by t.vrf_id nulls first, t.prefix, t.id limit ${MOST_OFFERED}::int`)
  const ids = rows.flatMap(({ vrf }) => (vrf === null ? [] : Number(vrf)))
  const vrfs = await visibleObjects(request, registry.model('ipam.vrf'), ids, ['display'])
  return rows.map(({ vrf, ...row }) => ({ ...row, vrf: String(vrfs.get(Number(vrf))?.display ?? '') }))
}

/** GET and POST of `/ipam/ask/`. */
async function askPage(request: ApiRequest): Promise<PageResponse> {
  const { service, search } = request
  const { basePath } = service.settings
  const prefixes = await offeredPrefixes(request)
  const form = request.method === 'POST' ? await request.body.form() : undefined
  const entered = (name: string): string => String(form?.get(name)?.at(-1) ?? search.get(name) ?? '')
  const title = translate('Ask for a network')
  let refusal: string | undefined
  if (form) {
    try {
      const body = { prefix_length: Number(entered('length').replace('/', '')), description: entered('purpose') }
      const { network, changeRequest } = await askForNetwork({ ...request, parameters: [entered('prefix')] }, body)
      return seeOther(
        `${basePath}${PATH}?${new URLSearchParams({ proposed: network, request: String(changeRequest) })}`,
      )
    } catch (error) {
      if (!(error instanceof ApiError) || !['invalid', 'notFound', 'malformed'].includes(error.reason.kind)) throw error
      refusal = sentenceOf(error)
    }
  }
  return {
    title,
    model: service.registry.model(PREFIX),
    styles: ['objects.css', 'edit.css', 'inputs.css', 'workbench.css'],
    ...(refusal !== undefined && { status: 400 }),
    breadcrumbs: [{ label: title, path: PATH }],
    body: html`<h1>${title}</h1>
${answerOf(request)}
${refusal !== undefined && html`<p class="notice bad" role="alert">${translate('Not saved.')} ${refusal}</p>`}
${
  prefixes.length === 0
    ? html`<p class="notice">${translate('There is no prefix in which you may ask for networks.')}</p>`
    : panel(
        '',
        html`<p class="muted">${translate('The first free network is proposed in a change request, which somebody else reviews.')}</p><form method="post" class="reshape-form">${csrfField(request.csrfToken)}${[
          {
            ...{ name: 'prefix', label: translate('In') },
            input: {
              kind: 'select',
              options: prefixes.map(({ id, prefix, vrf, description }) => ({
                value: String(id),
                label: [prefix, vrf, description].filter(Boolean).join(' · '),
              })),
              chosen: [entered('prefix')],
            },
          } as const,
          {
            ...{
              name: 'length',
              label: translate('Length'),
              isRequired: true,
              help: translate('Such as {example}.', { example: '/26' }),
            },
            input: { kind: 'text', type: 'text', value: entered('length'), max: 4 },
          } as const,
          {
            ...{ name: 'purpose', label: translate('What it is for'), isRequired: true },
            input: { kind: 'text', type: 'text', value: entered('purpose'), max: 150 },
          } as const,
        ].map((control) => controlField(control, 'ask'))}<div class="buttons"><button>${title}</button></div></form>`,
      )
}`,
  }
}

/** What became of the request that was sent before. */
function answerOf({ search, actor, service: { registry, settings } }: ApiRequest): Content {
  const proposed = search.get('proposed')
  const id = Number(search.get('request'))
  if (proposed === null || !Number.isSafeInteger(id)) return undefined
  const model = registry.model('core.changerequest')
  const link =
    mayAct(actor, 'view', model, settings) &&
    html` <a href="${settings.basePath}${pagePathOf(model)}${id}/">${translate('Show the change request')}</a>`
  return html`<p class="notice good" role="status">${translate('{network} is proposed. It is yours once the change request has been merged.', { network: proposed })}${link}</p>`
}

/** What asking adds to the pages: the form, and a button above the list for those who may only ask. */
export const askPages: Partial<PageContributions> = {
  pages: [[PATH, 'GET POST', askPage, { isShared: true }]],
  listLinks: [
    ({ actor, service: { settings } }, model) =>
      model.name === PREFIX &&
      mayAct(actor, ASK, model, settings) &&
      !mayAct(actor, 'add', model, settings) &&
      html`<a class="button" href="${settings.basePath}${PATH}">${translate('Ask for a network')}</a>`,
  ],
}

import type { ApiRequest } from '../../api/api-request.ts'
import { type Rendering, renderAll } from '../../automation/templates/render.ts'
import { ApiError } from '../../base/errors.ts'
import { permittedRowsOrNone, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { cachedColumn } from '../../read/query/cached-column.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { empty, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { linkMenu } from '../components/menu.ts'
import { shownPlural } from '../components/model-title.ts'
import { readOne } from '../data/page-objects.ts'
import type { RequestedObject } from '../frame/object-content.ts'
import { objectHeading } from '../frame/object-heading.ts'
import type { ModelPage } from '../frame/page-endpoint.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/**
 * Maximum milliseconds for the links of an object, and for the start of the interpreter; their templates are programs
 * of users.
 */
const LONGEST = 15_000
/** Schemes that links may have. A browser would run the program in `javascript:`. */
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])

interface CustomLink extends Record<string, unknown> {
  readonly name: string
  readonly link_text: string
  readonly link_url: string
  readonly group_name: string
  readonly button_class: string
  readonly new_window: boolean
}

/** Text and address of a link, or the error of its templates. */
type Rendered = { readonly text: string; readonly href: string } | { readonly problem: string }

interface ObjectLink {
  readonly link: CustomLink
  readonly rendered: Rendered
}

/**
 * The menu of the object's custom links, if there may be any; it is named after their group if there is only one. Pages
 * of objects do not wait for the templates: the menu leads to the page with the links, from which a script fills it
 * when it is opened. `page`: address of the object.
 */
export async function customLinksMenu(request: ApiRequest, model: Model, page: string): Promise<Content> {
  if (!model.has('customLinks')) return undefined
  const statement = sql`select distinct t.group_name ${enabledLinks(request, model)}`
  const groups = await cachedColumn(request.service, statement)
  if (groups.length === 0) return undefined
  const [group = ''] = groups.length === 1 ? groups.map(String) : []
  const title = titleOf(request)
  const link = html`<ul data-custom-links="${page}custom-links/"><li><a href="${page}custom-links/">${title}</a></li></ul>`
  return linkMenu(group === '' ? title : group, [], { more: link })
}

/** GET of `…/<id>/custom-links/`: the object's custom links. */
export const customLinksPage: ModelPage = async (request, model) => {
  const { object } = await readOne(request, model)
  const list = pagePathOf(model) ?? '/'
  const page = `${list}${object.id}/`
  const title = titleOf(request)
  return {
    title: `${title} · ${object.display}`,
    model,
    styles: ['objects.css', 'object.css'],
    breadcrumbs: [
      { label: shownPlural(model), path: list },
      { label: String(object.display), path: page },
      { label: title, path: `${page}custom-links/` },
    ],
    body: html`${objectHeading({ request, model, object })}<div class="panel-of-links" id="custom-links">${await linkLists({ request, model, object })}</div>`,
  }
}

const titleOf = ({ service }: ApiRequest): string => shownPlural(service.registry.model(SYSTEM.customLink))

/** The links of each group below its name; those without a group come first. */
async function linkLists(object: RequestedObject): Promise<Content> {
  const groups = Map.groupBy(await linksOf(object), ({ link }): string => link.group_name)
  if (groups.size === 0) return html`<p class="muted">${translate('None')}</p>`
  return [...groups].map(
    ([group, links]) =>
      html`${groups.size > 1 && group !== '' && html`<h2>${group}</h2>`}<ul>${links.map((link) => html`<li>${linkItem(link)}</li>`)}</ul>`,
  )
}

function linkItem({ link, rendered }: ObjectLink): Content {
  const style = `custom-link ${link.button_class}`
  if ('problem' in rendered) {
    return html`<a class="${style}" role="link" aria-disabled="true" title="${rendered.problem}">⚠ ${link.name}</a>`
  }
  const { href, text } = rendered
  const { new_window: opensWindow } = link
  return html`<a class="${style}" href="${href}"${opensWindow && html` target="_blank" rel="noopener"`}>${text}</a>`
}

/** Links that have a text, in the order of groups, weights and names. */
async function linksOf({ request, model, object }: RequestedObject): Promise<readonly ObjectLink[]> {
  const links = await request.service.database.query<CustomLink>(sql`
    select t.name, t.link_text, t.link_url, t.group_name, t.button_class, t.new_window
    ${enabledLinks(request, model)}
    order by t.group_name, t.weight, t.name`)
  if (links.length === 0) return []
  const templates = links.flatMap(({ link_text: text, link_url: url }) => [text, url])
  const renderings = await renderLinks({ request, model, object }, templates)
  return links.flatMap((link, index) => {
    const rendered = linkFrom(request, renderings[2 * index], renderings[2 * index + 1])
    return rendered ? [{ link, rendered }] : []
  })
}

/** The enabled links of the model that the user may view, as the `from` and `where` of a query. */
function enabledLinks({ service, actor }: ApiRequest, model: Model): Sql {
  const links = service.registry.model(SYSTEM.customLink)
  const permitted = permittedRowsOrNone(actor, 'view', links, service.settings)
  return sql`from ${table(links)} t
    where t.enabled and ${model.name} = any(t.object_types)
      ${permitted === 'all' ? empty : sql`and (${permitted})`}`
}

/** Address of the object's page, to which relative addresses of links refer. */
const pageOf = ({ url }: ApiRequest): URL => new URL('..', url)

/** Renders the templates. If time runs out, each link shows an error. */
async function renderLinks(
  { request, model, object }: RequestedObject,
  templates: readonly string[],
): Promise<readonly Rendering[]> {
  const { service, actor, signal, method, id } = request
  const inTime = AbortSignal.timeout(LONGEST)
  const user = actor.kind === 'user' ? { id: actor.id, username: actor.username } : null
  try {
    return await renderAll(service, templates, {
      security: rowSecurityOf(actor, service.registry, service.settings),
      objects: { object: [model.name, Number(object.id)] },
      context: {
        debug: false,
        user,
        request: { id, method, path: pageOf(request).pathname, user },
      },
      signal: AbortSignal.any([signal(), inTime]),
    })
  } catch (error) {
    const isUnavailable = error instanceof ApiError && error.reason.kind === 'unavailable'
    if (!inTime.aborted && !isUnavailable) throw error
    return templates.map(() => ({ error: translate('The templates of the links take too long.') }))
  }
}

function linkFrom(
  request: ApiRequest,
  text: Rendering | undefined,
  address: Rendering | undefined,
): Rendered | undefined {
  if (!text || !address) return undefined
  if ('error' in text) return { problem: text.error }
  // Templates hide a link by rendering no text.
  if (text.text.trim() === '') return undefined
  if ('error' in address) return { problem: address.error }
  const { origin, href: page } = pageOf(request)
  const target = URL.parse(address.text.trim(), page)
  // Relative to the service: the link is also on pages whose address differs from that of the object.
  const href = target?.origin === origin ? target.href.slice(origin.length) : address.text.trim()
  return target && SCHEMES.has(target.protocol)
    ? { text: text.text.trim(), href }
    : { problem: translate('Only http, https, mailto and relative addresses are allowed.') }
}

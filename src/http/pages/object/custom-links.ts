import { permittedRowsOrNone, rowSecurityOf } from '../../../auth/permitted-rows.ts'
import { ApiError } from '../../../errors.ts'
import { type Content, html } from '../../../pages/html.ts'
import { linkMenu } from '../../../pages/lists/menu.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type { Model } from '../../../schema/registry.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import { sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import { type Rendering, renderAll } from '../../../templates/render.ts'
import { translate } from '../../../texts/translate.ts'
import type { ApiRequest } from '../../api-request.ts'

/** Milliseconds that the links of a page may take; their templates are programs of users. */
const LONGEST = 5_000
/** Schemes to which links may lead. A browser would run the program in `javascript:`. */
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

/** Buttons of the custom links for the object; those of a group are in a menu. */
export async function customLinkButtons(
  request: ApiRequest,
  model: Model,
  object: JsonObject,
): Promise<Content> {
  if (!model.has('customLinks')) return undefined
  const links = await linksOf(request, model, object)
  const groups = Map.groupBy(links, ({ link }): string => link.group_name)
  const single = groups.get('') ?? []
  groups.delete('')
  return html`${single.map((each) => linkView(each, `button quiet custom-link ${each.link.button_class}`))}${[
    ...groups,
  ].map(([group, members]) =>
    linkMenu(
      group,
      [],
      html`<ul>${members.map((each) => html`<li>${linkView(each, 'custom-link')}</li>`)}</ul>`,
    ),
  )}`
}

function linkView({ link, rendered }: ObjectLink, style: string): Content {
  if ('problem' in rendered) {
    return html`<a class="${style}" role="link" aria-disabled="true" title="${rendered.problem}">⚠ ${link.name}</a>`
  }
  const { href, text } = rendered
  const { new_window: opensWindow } = link
  return html`<a class="${style}" href="${href}"${opensWindow && html` target="_blank" rel="noopener"`}>${text}</a>`
}

/** Links that have a text, in the order of groups, weights and names. */
async function linksOf(
  request: ApiRequest,
  model: Model,
  object: JsonObject,
): Promise<readonly ObjectLink[]> {
  const links = await enabledLinks(request, model)
  if (links.length === 0) return []
  const templates = links.flatMap(({ link_text: text, link_url: url }) => [text, url])
  const renderings = await renderLinks(request, model, object, templates)
  return links.flatMap((link, index) => {
    const rendered = linkFrom(request, renderings[2 * index], renderings[2 * index + 1])
    return rendered ? [{ link, rendered }] : []
  })
}

async function enabledLinks({ service, actor }: ApiRequest, model: Model): Promise<CustomLink[]> {
  const links = service.registry.model(SYSTEM.customLink)
  const permitted = permittedRowsOrNone(actor, 'view', links, service.settings)
  return await service.database.query<CustomLink>(sql`
    select t.name, t.link_text, t.link_url, t.group_name, t.button_class, t.new_window
    from ${table(links)} t
    where t.enabled and ${model.name} = any(t.object_types)
      ${permitted === 'all' ? sql`` : sql`and (${permitted})`}
    order by t.group_name, t.weight, t.name`)
}

/** Renders the templates. If there is no time for them, the page comes without the links. */
async function renderLinks(
  { service, actor, signal, url, method, id }: ApiRequest,
  model: Model,
  object: JsonObject,
  templates: readonly string[],
): Promise<readonly Rendering[]> {
  const inTime = AbortSignal.timeout(LONGEST)
  const user = actor.kind === 'user' ? { id: actor.id, username: actor.username } : null
  try {
    return await renderAll(service, templates, {
      security: rowSecurityOf(actor, service.registry, service.settings),
      objects: { object: [model.name, Number(object.id)] },
      context: { debug: false, user, request: { id, method, path: url.pathname, user } },
      signal: AbortSignal.any([signal(), inTime]),
    })
  } catch (error) {
    const isUnavailable = error instanceof ApiError && error.reason.kind === 'unavailable'
    if (!inTime.aborted && !isUnavailable) throw error
    return templates.map(() => ({ error: translate('The templates of the links take too long.') }))
  }
}

function linkFrom(
  { url: page }: ApiRequest,
  text: Rendering | undefined,
  address: Rendering | undefined,
): Rendered | undefined {
  if (!text || !address) return undefined
  if ('error' in text) return { problem: text.error }
  // Templates hide a link by rendering no text.
  if (text.text.trim() === '') return undefined
  if ('error' in address) return { problem: address.error }
  const href = address.text.trim()
  const target = URL.parse(href, page.href)
  return target && SCHEMES.has(target.protocol)
    ? { text: text.text.trim(), href }
    : { problem: translate('A link leads to http, https, mailto or relative addresses only.') }
}

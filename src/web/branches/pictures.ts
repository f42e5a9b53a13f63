import type { ApiRequest } from '../../api/api-request.ts'
import { OPEN } from '../../db/branches/branch-database.ts'
import { pastService } from '../../read/as-of/past-service.ts'
import { AS_OF, timesAround } from '../../read/as-of/past-timestamp.ts'
import { BRANCH_PARAMETER, type Branch, branchService } from '../../read/branches/branch-service.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { visibleIds } from '../data/page-objects.ts'
import { type Content, type Html, html, trusted } from '../html.ts'
import { translate } from '../texts/translate.ts'
import type { NetChange } from './net-changes.ts'

/** One of the two states of the inventory that pictures compare. */
export interface PictureState {
  readonly side: 'before' | 'after'
  readonly title: string
  /** The changes that affect the pictures. */
  readonly changes: readonly NetChange[]
}

/** A kind of object that the page of a branch draws, as it is before and after the changes. */
export interface PictureKind {
  readonly heading: () => string
  /** Explains the marks in the pictures. */
  readonly legend?: (changes: readonly NetChange[]) => Content
  /** The element around both pictures; by default a grid. */
  readonly frame?: (name: string, pictures: readonly Html[]) => Html
  /** Model of the objects. */
  readonly model: string
  /** Fields that change the picture, by type of object. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  /** Ids of the objects to draw. `request`: to the inventory before or after the changes. */
  readonly objects: (request: ApiRequest, changes: readonly NetChange[]) => Promise<readonly number[]>
  /** Pictures of the objects, without controls, by id; without those that do not exist. */
  readonly draw: (
    request: ApiRequest,
    ids: readonly number[],
    state: PictureState,
  ) => Promise<ReadonlyMap<number, { readonly name: string; readonly picture: Html }>>
}

/** Maximum number of objects of a kind that are drawn. */
const MOST = 6

/** A state of the inventory; `query`: parameters of links to its objects, undefined if they have no pages. */
interface Place extends Pick<PictureState, 'side' | 'title'> {
  readonly request: ApiRequest
  readonly query: URLSearchParams | undefined
}

/** The objects that the changes of a branch affect, each as it is before and after them. */
export async function picturesOf(
  request: ApiRequest,
  { branch, schemaId }: { readonly branch: Branch; readonly schemaId: string },
  changes: readonly NetChange[],
  kinds: readonly PictureKind[],
): Promise<Content> {
  const drawn = kinds.flatMap((kind) => {
    const relevant = changes.filter((change) =>
      kind.fields[change.type]?.some((name) => change.fields[name] !== undefined),
    )
    return relevant.length > 0 ? [{ kind, changes: relevant }] : []
  })
  if (drawn.length === 0) return undefined
  const places = await placesOf(request, branch, schemaId)
  if (!places)
    return html`<p class="muted">${translate('There are no pictures of this branch: the history of the time of its merge has been deleted.')}</p>`
  return await Promise.all(drawn.map(({ kind, changes }) => sectionOf(places, kind, changes)))
}

/**
 * The inventory without the branch and with it. For a merged branch, main directly before and after the merge, undefined if the
 * history no longer contains it.
 */
async function placesOf(request: ApiRequest, branch: Branch, schemaId: string): Promise<readonly Place[] | undefined> {
  const { service } = request
  if (branch.status === 'merged') {
    const model = service.registry.model(SYSTEM.branch)
    const times = await timesAround(service, model, sql`p.id = ${branch.id}::bigint and p.status = ${OPEN}`)
    return times?.map((timestamp, index) => ({
      side: index === 0 ? 'before' : 'after',
      request: { ...request, service: pastService(service, timestamp) },
      title: index === 0 ? translate('Before the merge') : translate('After the merge'),
      query: new URLSearchParams({ [AS_OF]: timestamp.time }),
    }))
  }
  const query = branch.status === OPEN ? new URLSearchParams({ [BRANCH_PARAMETER]: schemaId }) : undefined
  return [
    { side: 'before', request, title: translate('On main'), query: new URLSearchParams({ [BRANCH_PARAMETER]: '' }) },
    {
      side: 'after',
      request: { ...request, service: branchService(service, branch) },
      title: translate('In the branch'),
      query,
    },
  ]
}

async function sectionOf(
  places: readonly Place[],
  { heading, legend, frame = grid, model, objects, draw }: PictureKind,
  changes: readonly NetChange[],
): Promise<Content> {
  const idLists = places.map(async ({ request }) =>
    visibleIds(request, request.service.registry.model(model), await objects(request, changes)),
  )
  const ids = [...new Set((await Promise.all(idLists)).flat())]
  const drawnIds = ids.slice(0, MOST)
  const pictures = await Promise.all(
    places.map(async ({ request, query, ...place }) => {
      const byId = await draw(request, drawnIds, { ...place, changes })
      return new Map([...byId].map(([id, { name, picture }]) => [id, { name, picture: withQuery(picture, query) }]))
    }),
  )
  const cards = drawnIds.flatMap((id): readonly Html[] => {
    const pair = pictures.flatMap((byId) => byId.get(id) ?? [])
    const name = pair.at(-1)?.name
    if (name === undefined) return []
    return [
      html`<section class="card"><h3><bdi>${name}</bdi></h3>${frame(
        name,
        pair.map(({ picture }) => picture),
      )}</section>`,
    ]
  })
  const more = ids.length - drawnIds.length
  return (
    cards.length > 0 &&
    html`<details class="drawings"${cards.length === 1 && html` open`}><summary><h2>${heading()}</h2></summary>${legend?.(changes)}${cards}${more > 0 && html`<p>${translate('{count} more object is not drawn.|{count} more objects are not drawn.', { count: more })}</p>`}</details>`
  )
}

const grid = (_: string, pictures: readonly Html[]): Html => html`<div class="before-after">${pictures}</div>`

/** The picture with links to the objects of the drawn state, or without links. */
const withQuery = (picture: Html, query: URLSearchParams | undefined): Html =>
  trusted(
    picture
      .toString()
      .replaceAll(/ href="([^"?]*)"/g, (_, path: string) => (query === undefined ? '' : ` href="${path}?${query}"`)),
  )

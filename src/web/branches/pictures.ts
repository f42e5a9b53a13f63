import type { ApiRequest } from '../../api/api-request.ts'
import { OPEN } from '../../db/branches/branch-database.ts'
import { BRANCH_PARAMETER, type Branch, branchService } from '../../read/branches/branch-service.ts'
import { type Content, type Html, html, trusted } from '../components/html.ts'
import { visibleIds } from '../lists/visible-objects.ts'
import { translate } from '../texts/translate.ts'
import type { NetChange } from './net-changes.ts'

/** A kind of object that the page of a branch draws, as it is on main and in the branch. */
export interface PictureKind {
  readonly heading: () => string
  /** The element around both pictures; by default a grid. */
  readonly frame?: (name: string, pictures: readonly Html[]) => Html
  /** Model of the objects. */
  readonly model: string
  /** Fields that change the picture, by type of object. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  /** Ids of the objects to draw. `request`: to main, or to the branch. */
  readonly objects: (request: ApiRequest, changes: readonly NetChange[]) => Promise<readonly number[]>
  /** Pictures of the objects, without controls, by id; without those that do not exist. */
  readonly draw: (
    request: ApiRequest,
    ids: readonly number[],
    title: string,
  ) => Promise<ReadonlyMap<number, { readonly name: string; readonly picture: Html }>>
}

/** Maximum number of objects of a kind that are drawn. */
const MOST = 6

/** The objects of an open branch that the changes affect, each as it is on main and in the branch. */
export async function picturesOf(
  request: ApiRequest,
  { branch, schemaId }: { readonly branch: Branch; readonly schemaId: string },
  changes: readonly NetChange[],
  kinds: readonly PictureKind[],
): Promise<Content> {
  if (branch.status !== OPEN) return undefined
  const places = [
    { request, title: translate('On main'), query: new URLSearchParams({ [BRANCH_PARAMETER]: '' }) },
    {
      request: { ...request, service: branchService(request.service, branch) },
      title: translate('In the branch'),
      query: new URLSearchParams({ [BRANCH_PARAMETER]: schemaId }),
    },
  ]
  const sections = kinds.map(async ({ heading, frame = grid, model, fields, objects, draw }) => {
    const drawn = changes.filter((change) => fields[change.type]?.some((name) => change.fields[name] !== undefined))
    if (drawn.length === 0) return undefined
    const found = places.map(async ({ request }) =>
      visibleIds(request, request.service.registry.model(model), await objects(request, drawn)),
    )
    const ids = [...new Set((await Promise.all(found)).flat())]
    const shown = ids.slice(0, MOST)
    const pictures = await Promise.all(
      places.map(async ({ request, title, query }) => {
        const byId = await draw(request, shown, title)
        return new Map([...byId].map(([id, { name, picture }]) => [id, { name, picture: withQuery(picture, query) }]))
      }),
    )
    const cards = shown.flatMap((id): readonly Html[] => {
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
    const more = ids.length - shown.length
    return (
      cards.length > 0 &&
      html`<h2>${heading()}</h2>${cards}${more > 0 && html`<p>${translate('{count} more object is not drawn.|{count} more objects are not drawn.', { count: more })}</p>`}`
    )
  })
  return await Promise.all(sections)
}

const grid = (_: string, pictures: readonly Html[]): Html => html`<div class="before-after">${pictures}</div>`

/** The picture with links to the objects of main, or of the branch. */
const withQuery = (picture: Html, query: URLSearchParams): Html =>
  trusted(picture.toString().replaceAll(/ href="([^"?]*)"/g, (_, path: string) => ` href="${path}?${query}"`))

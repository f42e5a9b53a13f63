import { mayAct, rowSecurityOf } from '../../auth/permitted-rows.ts'
import { type HomeCount, homeBody } from '../../pages/home.ts'
import { html } from '../../pages/html.ts'
import { panel } from '../../pages/objects/panel.ts'
import { countRows } from '../../query/count.ts'
import { pluralTitleOf } from '../../schema/class-name.ts'
import type { MenuSection } from '../../schema/menu.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { ApiRequest } from '../api-request.ts'
import type { HttpResponse } from '../response.ts'
import { asOwner } from './account/own-objects.ts'
import { objectRows } from './object-rows.ts'
import type { PageFrame } from './page-frame.ts'

/** GET /: numbers of objects by subject, bookmarks and the latest changes. */
export async function homePage(
  frame: PageFrame,
  menu: readonly MenuSection[],
  request: ApiRequest,
): Promise<HttpResponse> {
  const { service, base, actor } = request
  const [subjects, bookmarks, changes] = await Promise.all([
    countsFor(request, menu),
    bookmarksOf(request),
    changesFor(request),
  ])
  return await frame(request, {
    title: 'Home',
    styles: ['objects.css', 'home.css'],
    body: homeBody({
      basePath: service.settings.basePath,
      base,
      isSignedIn: actor.kind === 'user',
      subjects,
      aside: html`${bookmarks}${changes}`,
    }),
  })
}

/** Numbers of the objects that the viewer may see; models without objects are left out. */
async function countsFor(
  { service, actor }: ApiRequest,
  menu: readonly MenuSection[],
): Promise<readonly { readonly label: string; readonly counts: readonly HomeCount[] }[]> {
  const { registry, settings } = service
  const security = rowSecurityOf(actor, registry, settings)
  const count = async (model: Model): Promise<HomeCount> => ({
    label: pluralTitleOf(model),
    path: `${settings.basePath}${pagePathOf(model)}`,
    // Counts of whole tables are cached until the table changes.
    count: await countRows(service, model, { security }),
  })
  const subjects = await Promise.all(
    menu.map(async ({ label, groups }) => {
      const models = groups.flatMap((group) => group.models.map((name) => registry.model(name)))
      const seen = models.filter((model) => mayAct(actor, 'view', model, settings))
      const counts = await Promise.all(seen.map(count))
      return { label, counts: counts.filter((each) => each.count > 0) }
    }),
  )
  return subjects.filter(({ counts }) => counts.length > 0)
}

async function bookmarksOf(request: ApiRequest) {
  if (request.actor.kind !== 'user') return undefined
  const model = request.service.registry.model(SYSTEM.bookmark)
  const { table, objects } = await objectRows(asOwner(request, model), model, {
    query: new URLSearchParams({ limit: '10', ordering: '-created' }),
    columns: ['object'],
    label: 'Bookmarks',
  })
  return objects.length > 0 && panel('Bookmarks', table)
}

async function changesFor(request: ApiRequest) {
  const { registry, settings } = request.service
  const model = registry.model(SYSTEM.objectChange)
  if (!mayAct(request.actor, 'view', model, settings)) return undefined
  const { table, objects } = await objectRows(request, model, {
    query: new URLSearchParams({ limit: '10' }),
    columns: ['time', 'user_name', 'action', 'changed_object_type', 'changed_object'],
    label: 'Latest changes',
  })
  return objects.length > 0 && panel('Latest changes', table)
}

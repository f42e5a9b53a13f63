import type { ApiRequest } from '../../api/api-request.ts'
import { OPEN } from '../../db/branches/branch-database.ts'
import { BRANCH_PARAMETER, type Branch, branchService } from '../../read/branches/branch-service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { NetChange } from '../branches/net-changes.ts'
import { type Content, type Html, html, trusted } from '../components/html.ts'
import { translate } from '../texts/translate.ts'
import { drawRack } from './draw-rack.ts'
import { type RackWithContents, rackModels, racksWithContents } from './rack-facts.ts'
import { rackTable } from './rack-table.ts'

/** Racks that are drawn. */
const MOST = 6

/** Fields of a device that determine where it is drawn. */
const PLACES = ['rack', 'position', 'face', 'device_type'] as const

/** The racks in which an open branch places devices differently from main, with both versions side by side. */
export async function rackPictures(
  request: ApiRequest,
  branch: Branch,
  schemaId: string,
  changes: readonly NetChange[],
): Promise<Content> {
  if (branch.status !== OPEN) return undefined
  const inBranch = { ...request, service: branchService(request.service, branch) }
  const ids = await changedRacks(inBranch, changes)
  if (ids.length === 0) return undefined
  const [before, after] = await Promise.all([racksWithContents(request, ids), racksWithContents(inBranch, ids)])
  const pairs = ids.flatMap((id): readonly Html[] => {
    const [old, changed] = [before, after].map((racks) => racks.find((rack) => rack.id === id))
    const rack = changed ?? old
    if (!rack) return []
    return [
      html`<section class="card"><h3><bdi>${rack.name}</bdi></h3><div class="elevation"><div class="rack-row" tabindex="0" role="region" aria-label="${rack.name}">${old && picture(request, old, translate('On main'), '')}${changed && picture(inBranch, changed, translate('In the branch'), schemaId)}</div></div></section>`,
    ]
  })
  return pairs.length > 0 && html`<h2>${translate('Racks before and after')}</h2>${pairs}`
}

/** The rack without editing controls, with links to the devices of main or of the branch. */
function picture(request: ApiRequest, rack: RackWithContents, title: string, schemaId: string): Html {
  const drawn = drawRack({ ...request, actor: { kind: 'anonymous' } }, rack, ['front', 'rear'], html`<h4>${title}</h4>`)
  const query = new URLSearchParams({ [BRANCH_PARAMETER]: schemaId })
  return trusted(
    rackTable({ ...drawn, name: `${rack.name}, ${title}` })
      .toString()
      .replaceAll(/ href="([^"?]*)"/g, (_, path: string) => ` href="${path}?${query}"`),
  )
}

/** Ids of the racks in which the changes move, mount or remove devices. */
async function changedRacks(inBranch: ApiRequest, changes: readonly NetChange[]): Promise<readonly number[]> {
  const { registry, database } = inBranch.service
  const { device } = rackModels(registry)
  const devices = changes.filter(
    ({ type, fields }) => type === device.name && PLACES.some((name) => fields[name] !== undefined),
  )
  const named = devices.flatMap(({ fields: { rack } }) => (rack ? [rack.before, rack.after] : []))
  const staying = devices.filter(({ fields }) => fields.rack === undefined).map(({ id }) => id)
  const others = await database.queryColumn(sql`
    select t.rack_id from ${table(device)} t where t.id = any(${staying}::bigint[])`)
  const ids = [...named, ...others].filter((id) => id !== null).map(Number)
  return [...new Set(ids)].slice(0, MOST)
}

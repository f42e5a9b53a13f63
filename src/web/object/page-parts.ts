import type { ApiRequest } from '../../api/api-request.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { PagePart } from '../../schema/view.ts'
import { addressSpacePart } from '../addresses/space-part.ts'
import { vlanIdsPart } from '../addresses/vlan-ids-part.ts'
import type { Content } from '../components/html.ts'
import type { FramedPage } from '../frame/page-frame.ts'
import { rackElevationPart } from '../racks/elevation-part.ts'
import { floorListPart } from '../racks/floor-list.ts'
import { jobPart } from '../scripts/job-part.ts'

/** Content of an object page beside the panels of its view. */
export interface PartOfPage extends Pick<FramedPage, 'styles' | 'scripts'> {
  /** Above the panels on the left. */
  readonly first?: Content
  /** On the right, above all other panels. */
  readonly beside?: Content
  /** The right side needs most of the width. */
  readonly isWide?: boolean
  readonly below?: Content
}

/** The parts that views name. */
export const PAGE_PARTS: Readonly<
  Record<PagePart, (request: ApiRequest, object: JsonObject) => Promise<PartOfPage>>
> = {
  job: jobPart,
  addressSpace: addressSpacePart,
  floorList: floorListPart,
  rackElevation: rackElevationPart,
  vlanIds: vlanIdsPart,
}

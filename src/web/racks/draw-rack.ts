import { isAt, type MountedDevice } from '../../api/actions/dcim/rack-contents.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Utilization } from '../components/utilization-bar.ts'
import type { Content } from '../html.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { type RackWithContents, rackModels } from './rack-facts.ts'
import type { Bay, FittedDevice } from './rack-fittings.ts'
import { type RackCell, rackRows } from './rack-rows.ts'
import type { DrawnBay, DrawnCell, RackDevice, RackFaceName, RackTable } from './rack-table.ts'

type LabelledDevice = RackWithContents['devices'][number]

/** What a drawing of a rack shows. */
type DrawnRack = Omit<RackWithContents, 'load' | 'space'>

interface Drawing {
  readonly faces: readonly RackFaceName[]
  readonly heading?: Content
  /** Without links to the form for a device in free units. */
  readonly isPicture?: boolean
}

/** The rack as a table of some faces. */
export function drawRack(
  request: ApiRequest,
  rack: DrawnRack,
  { faces, heading, isPicture = false }: Drawing,
): RackTable {
  const { numbering } = rack
  const standing = faces.map((face) => rack.devices.filter((device) => isAt(device, face)))
  const { rows, misplaced } = rackRows(numbering, standing)
  const draw = drawingOf(request, rack, isPicture)
  return {
    ...{ id: rack.id, name: rack.name, heading, faces, site: rack.site, location: rack.location },
    units: numbering.u_height,
    firstUnit: numbering.starting_unit,
    isDescending: numbering.desc_units,
    rows: rows.map(({ unit, cells }) => ({
      unit,
      cells: cells.map((cell, index) => cell && draw(cell, faces[index] ?? 'front')),
    })),
    misplaced: misplaced.map((device) => deviceOf(request, device, undefined)),
    beside: rack.beside.map((device) => fittedOf(request, device)),
  }
}

/** More bays for each unit would have no room for names. */
const BAYS_PER_UNIT = 4

const baysOf = (request: ApiRequest, bays: readonly Bay[]): readonly DrawnBay[] =>
  bays.map(({ name, device }) => ({ name, device: device && fittedOf(request, device) }))

const fittedOf = (
  { service }: ApiRequest,
  { id, label, type, color }: FittedDevice,
): NonNullable<DrawnBay['device']> => ({
  ...{ label, color: shownColor(color), title: `${label} · ${type}` },
  href: `${service.settings.basePath}${pagePathOf(rackModels(service.registry).device)}${id}/`,
})

const shownColor = (color: string): string => (/^[0-9a-f]{6}$/i.test(color) ? color : '')

/** Draws the cells of a rack. */
function drawingOf(
  request: ApiRequest,
  rack: DrawnRack,
  isPicture: boolean,
): (cell: RackCell<LabelledDevice>, face: RackFaceName) => DrawnCell {
  const { actor, service } = request
  const { settings, registry } = service
  const { device: model } = rackModels(registry)
  const form = `${settings.basePath}${pagePathOf(model)}add/`
  const mayAdd = !isPicture && mayAct(actor, 'add', model, settings)
  const reservations = new Map(
    rack.reservations.flatMap(({ units, user, description }) =>
      units.map(
        (unit) => [Number(unit), translate('Reserved by {user}: {description}', { user, description })] as const,
      ),
    ),
  )
  return (cell, face) => {
    if (cell.kind === 'free') {
      const { position, rows } = cell
      const query = new URLSearchParams({
        site: String(rack.site),
        ...(rack.location !== null && { location: String(rack.location) }),
        rack: String(rack.id),
        position: String(position),
        face,
      })
      const reservation = reservations.get(Math.floor(position))
      const href = mayAdd ? `${form}?${query}` : undefined
      return { kind: 'free', rows, position, face, href, reservation }
    }
    const isFar = cell.device.face !== '' && cell.device.face !== face
    const device = deviceOf(request, cell.device, isFar ? undefined : face)
    const { bays, height, isVisible } = cell.device
    const hasBays = isVisible && !isFar && bays.length <= height * BAYS_PER_UNIT
    return { kind: 'device', rows: cell.rows, isFar, ...device, bays: hasBays ? baysOf(request, bays) : [] }
  }
}

/** A device as a rack shows it; `face`: the one whose image is shown. Hidden devices appear only as occupied units. */
function deviceOf({ service }: ApiRequest, device: LabelledDevice, face: RackFaceName | undefined): RackDevice {
  const { height, position, is_full_depth: isFullDepth } = device
  const place = { height, position, isFullDepth, face: device.face }
  if (!device.isVisible) {
    return {
      id: 0,
      label: '',
      href: '',
      type: '',
      title: '',
      color: '',
      isPlanned: false,
      ...place,
    }
  }
  const { basePath } = service.settings
  return {
    ...place,
    id: device.id,
    label: device.label,
    href: `${basePath}${pagePathOf(rackModels(service.registry).device)}${device.id}/`,
    type: device.type,
    title: deviceTitle(device),
    color: shownColor(device.color),
    isPlanned: device.status !== 'active',
    image: face && imageOf(basePath, device, face),
  }
}

function imageOf(basePath: string, device: MountedDevice, face: RackFaceName): string | undefined {
  const path = face === 'front' ? device.front_image : device.rear_image
  if (path === '') return undefined
  return `${basePath}/media/${path.split('/').map(encodeURIComponent).join('/')}`
}

/** Space, power and weight of a rack. */
export function utilizationsOf({ space, load }: RackWithContents): readonly Utilization[] {
  const { units, occupied, reserved } = space
  const kilograms = (grams: number): number =>
    grams < 100_000 ? Math.round(grams / 100) / 10 : Math.round(grams / 1000)
  return [
    {
      label: translate('Space'),
      share: occupied / units,
      reserved: reserved / units,
      text:
        reserved > 0
          ? translate('{used} of {all} U, {reserved} U reserved', {
              used: occupied,
              all: units,
              reserved,
            })
          : translate('{used} of {all} U', { used: occupied, all: units }),
    },
    ...(load.power > 0
      ? [
          {
            label: translate('Power'),
            share: load.allocated / load.power,
            text: translate('{used} of {all} W', { used: load.allocated, all: load.power }),
          },
        ]
      : []),
    ...(load.maxWeight !== null || load.weight > 0
      ? [
          {
            label: translate('Weight'),
            share: load.maxWeight ? load.weight / load.maxWeight : undefined,
            text: load.maxWeight
              ? translate('{used} of {all} kg', {
                  used: kilograms(load.weight),
                  all: kilograms(load.maxWeight),
                })
              : translate('{weight} kg', { weight: kilograms(load.weight) }),
          },
        ]
      : []),
  ]
}

/** Whether the sender may move any device. */
export function mayMoveDevices({ actor, service }: ApiRequest): boolean {
  return mayAct(actor, 'change', rackModels(service.registry).device, service.settings)
}

/** Name, model, role, state and place of a device in one line, in the language of the page. */
const deviceTitle = ({
  label,
  role,
  type,
  status,
  serial,
  asset_tag: tag,
  position,
  height,
}: MountedDevice & { readonly label: string }): string =>
  [
    label,
    type,
    `${role}, ${translateLabel(status)}`,
    `${translate('U{position}', { position })}, ${translate('{height} U', { height })}`,
    serial && `${translateLabel('Serial number')} ${serial}`,
    tag && `${translateLabel('Asset tag')} ${tag}`,
  ]
    .filter(Boolean)
    .join(' · ')

/** The roles of the racks' visible devices with their colours, by name. */
export function rackRoles(
  racks: readonly RackWithContents[],
): readonly { readonly name: string; readonly color: string }[] {
  const colors = new Map(
    racks
      .flatMap(({ devices }) => devices)
      .filter(({ isVisible }) => isVisible)
      .map(({ role, color }) => [role, color]),
  )
  return [...colors].map(([name, color]) => ({ name, color })).sort((a, b) => a.name.localeCompare(b.name))
}

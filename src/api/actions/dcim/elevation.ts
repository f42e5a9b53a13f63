import type { JsonObject } from '../../../schema/json.ts'
import { sql } from '../../../sql/fragment.ts'
import type { Row } from '../../../sql/queryable.ts'
import { table } from '../../../sql/table.ts'
import type { ApiRequest } from '../../api-request.ts'
import { nullable } from '../../openapi/value-schema.ts'
import type { HttpResponse } from '../../response.ts'
import { type Action, schema } from '../action.ts'
import { listResponse, pageOf } from '../list-response.ts'
import { findTarget } from '../target.ts'
import { displayInText, nestedDevices } from './device-texts.ts'
import { drawElevation } from './elevation-drawing.ts'
import { type ElevationOptions, parseElevationOptions } from './elevation-options.ts'
import { devicesIn, isAt, type MountedDevice, reservationsIn } from './rack-contents.ts'
import { halfUnits, halfUnitsOf, type Numbering, unitName } from './rack-units.ts'

interface RackText {
  readonly display: string
  readonly place: string
}
type Rack = Numbering & RackText & { readonly id: number }

async function elevation(request: ApiRequest): Promise<HttpResponse> {
  const rack = await findTarget<Numbering & RackText & Row>(request, 'dcim.rack', {
    columns: sql`, t.starting_unit, t.u_height, t.desc_units,
      t.name || coalesce(' (' || nullif(t.facility_id, '') || ')', '') as display,
      concat_ws(', ',
        (select s.name from ${table('dcim.site')} s where s.id = t.site_id),
        (select l.name from ${table('dcim.location')} l where l.id = t.location_id)
      ) as place`,
  })
  const options = parseElevationOptions(request.search)
  const devices = (await devicesIn(request, rack.id, options.exclude)).filter((device) => isAt(device, options.face))
  const visible = devices.filter(({ isVisible }) => isVisible)
  const deviceTexts = await nestedDevices(
    request,
    visible.map(({ id }) => id),
  )
  return options.render === 'svg'
    ? await drawing(request, rack, devices, deviceTexts, options)
    : page(request, rack, devices, deviceTexts, options)
}

function page(
  request: ApiRequest,
  rack: Rack,
  devices: readonly MountedDevice[],
  deviceTexts: ReadonlyMap<number, string>,
  { face, expandDevices, q }: ElevationOptions,
): HttpResponse {
  const holders = new Map<number, MountedDevice>()
  for (const device of devices) {
    // Without `expand_devices`, a device appears only at its lowest unit.
    for (const unit of expandDevices ? halfUnitsOf(device) : [device.position]) {
      holders.set(unit, device)
    }
  }
  const search = q?.toLowerCase()
  const units = halfUnits(rack).filter((unit) => search === undefined || unitName(unit).toLowerCase().includes(search))
  const label = face === 'front' ? 'Front' : 'Rear'
  return listResponse(request, units, (unit) => {
    const holder = holders.get(unit)
    const device = (holder && deviceTexts.get(holder.id)) ?? 'null'
    const description = JSON.stringify(displayInText(device) ?? null)
    const name = JSON.stringify(unitName(unit))
    return `{"id":${unit.toFixed(1)},"name":${name},"face":{"value":"${face}","label":"${label}"},"device":${device},"occupied":${holder !== undefined},"display":${name},"description":${description}}`
  })
}

async function drawing(
  request: ApiRequest,
  rack: Rack,
  devices: readonly MountedDevice[],
  deviceTexts: ReadonlyMap<number, string>,
  { face, includeImages, measures }: ElevationOptions,
): Promise<HttpResponse> {
  const image = (device: MountedDevice) => {
    const path = face === 'front' ? device.front_image : device.rear_image
    const url = `${request.base}/media/${path.split('/').map(encodeURIComponent).join('/')}`
    return includeImages && path !== '' && device.face === face ? url : undefined
  }
  const body = drawElevation(
    {
      title: rack.display,
      place: rack.place,
      face,
      numbering: rack,
      reservations: await reservationsIn(request, [rack.id]),
      devices: devices.map((device) => ({
        ...device,
        label: displayInText(deviceTexts.get(device.id) ?? 'null') ?? '',
        link: `${request.base}/dcim/devices/${device.id}/`,
        image: image(device),
      })),
    },
    measures,
  )
  return { status: 200, type: SVG, body }
}

const SVG = 'image/svg+xml'

const integer = (name: string, preset: number): JsonObject => ({
  in: 'query',
  name,
  schema: { type: 'integer', default: preset },
})
const boolean = (name: string): JsonObject => ({
  in: 'query',
  name,
  schema: { type: 'boolean', default: true },
})
const oneOf = (name: string, values: readonly string[]): JsonObject => ({
  in: 'query',
  name,
  schema: { type: 'string', enum: [...values], default: values[0] ?? '' },
})

/** The units of a rack with the devices in them, as a list or a drawing. */
export const rackElevation: Action = {
  path: 'dcim/racks/:id/elevation',
  title: 'Rack',
  methods: {
    GET: {
      permission: { view: 'dcim.rack' },
      parameters: [
        oneOf('face', ['front', 'rear']),
        oneOf('render', ['json', 'svg']),
        { in: 'query', name: 'q', schema: { type: 'string', minLength: 1 } },
        { in: 'query', name: 'exclude', schema: { type: 'integer' } },
        boolean('expand_devices'),
        boolean('include_images'),
        integer('unit_width', 220),
        integer('unit_height', 22),
        integer('legend_width', 30),
        integer('margin_width', 15),
        ...['limit', 'offset', 'start'].map((name) => ({
          in: 'query',
          name,
          schema: { type: 'integer' },
        })),
      ],
      answer: schema('PaginatedRackUnitList'),
      otherTypes: [SVG],
      handle: elevation,
    },
  },
  schemas: {
    RackUnit: {
      type: 'object',
      properties: {
        id: { type: 'number', format: 'double', readOnly: true },
        name: { type: 'string', readOnly: true },
        face: {
          type: 'object',
          properties: {
            value: { type: 'string', enum: ['front', 'rear'] },
            label: { type: 'string', enum: ['Front', 'Rear'] },
          },
          readOnly: true,
        },
        device: { ...nullable(schema('BriefDevice')), readOnly: true },
        occupied: { type: 'boolean', readOnly: true },
        display: { type: 'string', readOnly: true },
        description: { type: 'string', readOnly: true, nullable: true },
      },
      required: ['description', 'device', 'display', 'face', 'id', 'name', 'occupied'],
    },
    PaginatedRackUnitList: pageOf(schema('RackUnit')),
  },
}

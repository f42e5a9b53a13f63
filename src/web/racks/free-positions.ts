import { devicesIn } from '../../api/actions/dcim/rack-contents.ts'
import { halfUnits, halfUnitsOf, unitName } from '../../api/actions/dcim/rack-units.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import type { Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import type { RackPosition } from '../../schema/view.ts'
import type { Control, Option } from '../components/control.ts'
import { visibleObjects } from '../data/page-objects.ts'
import { NONE } from '../forms/fields/form-entry.ts'
import { shownTexts } from '../forms/form-texts.ts'
import { translate } from '../texts/translate.ts'

/**
 * The controls, with the free positions of the chosen rack as choices. Without a rack, the position is entered as a
 * number.
 */
export async function withFreePositions(
  request: ApiRequest,
  model: Model,
  controls: readonly Control[],
  object: number | undefined,
): Promise<readonly Control[]> {
  const names = request.service.registry.view(model).rackPosition
  if (!names) return controls
  const textOf = (name: string): string => {
    const control = controls.find((control) => control.name === name)
    return (control && shownTexts(control)[0]) ?? ''
  }
  const positions = await freePositions(request, model, names, textOf, object)
  return controls.map((control) => {
    if (control.name !== names.position) return control
    const dependsOn = [names.rack, names.face, names.type]
    if (!positions) return { ...control, dependsOn }
    const chosen = Number(textOf(names.position)) || undefined
    const all = chosen === undefined || positions.includes(chosen) ? positions : [chosen, ...positions]
    return {
      ...control,
      dependsOn,
      help: translate('{count} free position.|{count} free positions.', {
        count: positions.length,
      }),
      input: {
        kind: 'select',
        options: all.map(optionOf),
        chosen: chosen === undefined ? [] : [String(chosen)],
        empty: NONE,
      },
    }
  })
}

const optionOf = (position: number): Option => ({
  value: String(position),
  label: unitName(position),
})

/** From top to bottom; undefined without a rack that the sender may view. */
async function freePositions(
  request: ApiRequest,
  model: Model,
  names: RackPosition,
  textOf: (name: string) => string,
  object: number | undefined,
): Promise<readonly number[] | undefined> {
  const related = async (name: string, fields: readonly string[]) => {
    const field = model.fields.get(name)
    const id = Number(textOf(name))
    if (field?.kind !== 'foreignKey' || !Number.isSafeInteger(id) || id <= 0) return undefined
    const target = request.service.registry.model(field.to)
    return (await visibleObjects(request, target, [id], fields)).get(id)
  }
  const rack = await related(names.rack, ['id', 'starting_unit', 'u_height', 'desc_units'])
  if (!rack) return undefined
  const type = await related(names.type, ['id', 'u_height', 'is_full_depth'])
  const height = numberOf(type?.u_height, 1)
  const isFullDepth = type?.is_full_depth !== false
  const face = textOf(names.face)
  const devices = await devicesIn(request, Number(rack.id), object)
  const taken = new Set(
    devices
      .filter((device) => isFullDepth || device.is_full_depth || face === '' || device.face === face)
      .flatMap(halfUnitsOf),
  )
  const units = halfUnits({
    starting_unit: numberOf(rack.starting_unit, 1),
    u_height: numberOf(rack.u_height, 0),
    desc_units: rack.desc_units === true,
  })
  const existing = new Set(units)
  const isFree = (position: number): boolean =>
    halfUnitsOf({ position, height }).every((unit) => existing.has(unit) && !taken.has(unit))
  // Devices with a height in whole units are mounted at whole units.
  return units.filter((unit) => (height % 1 !== 0 || unit % 1 === 0) && isFree(unit))
}

const numberOf = (value: Json | undefined, otherwise: number): number =>
  value === undefined || value === null ? otherwise : Number(value)

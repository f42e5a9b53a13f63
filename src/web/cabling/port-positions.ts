import type { ApiRequest } from '../../api/api-request.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import type { Control, Option } from '../components/control.ts'
import { readList } from '../data/page-objects.ts'
import { NONE } from '../forms/fields/form-entry.ts'
import { shownTexts } from '../forms/form-texts.ts'
import { translate } from '../texts/translate.ts'

/** Models of the rear ports to which front ports lead, and what both belong to. */
const REAR_PORTS: Readonly<Record<string, { model: string; owners: readonly string[] }>> = {
  'dcim.frontport': { model: 'dcim.rearport', owners: ['device'] },
  'dcim.frontporttemplate': {
    model: 'dcim.rearporttemplate',
    owners: ['device_type', 'module_type'],
  },
}

const MOST_PORTS = 500

/** The controls, with the free positions of the owner's rear ports to choose from, in the order in which the front port's positions use them. */
export async function withPortPositions(
  request: ApiRequest,
  model: Model,
  controls: readonly Control[],
  object: number | undefined,
): Promise<readonly Control[]> {
  const rear = REAR_PORTS[model.name]
  if (!rear) return controls
  const owner = controls.find((control) => rear.owners.includes(control.name) && shownTexts(control)[0])
  const id = owner && shownTexts(owner)[0]
  const query = new URLSearchParams({ [`${owner?.name}_id`]: id ?? '', limit: String(MOST_PORTS) })
  const ports =
    id === undefined ? [] : (await readList(request, request.service.registry.model(rear.model), { query })).objects
  return controls.map((control) => {
    if (control.sentAs !== 'links' || control.input.kind !== 'objects') return control
    const chosen = control.input.chosen.map(({ value }) => value)
    const options = ports.flatMap((port) => positionsOf(port, object, chosen))
    return {
      ...control,
      dependsOn: rear.owners,
      help: id === undefined ? translate('Choose the device first.') : HELP(),
      input: { kind: 'choices', options, chosen, empty: NONE },
    }
  })
}

const HELP = (): string => translate('One position of a rear port for each position of this port, in this order.')

/** The positions of a rear port that are free, used by the front port itself, or chosen. */
function positionsOf(
  port: Readonly<Record<string, Json>>,
  object: number | undefined,
  chosen: readonly string[],
): readonly Option[] {
  const links = Array.isArray(port.front_ports) ? port.front_ports.filter(isJsonObject) : []
  const taken = new Set(links.filter((link) => link.front_port !== object).map(({ position }) => Number(position)))
  return Array.from({ length: Number(port.positions ?? 1) }, (_, index) => index + 1).flatMap((position) => {
    const value = `${port.id}:${position}`
    const isOffered = !taken.has(position) || chosen.includes(value)
    return isOffered ? [{ value, label: `${port.display}: ${position}` }] : []
  })
}

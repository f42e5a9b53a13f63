import type { ApiRequest } from '../../api/api-request.ts'
import { lastValue } from '../../read/query/last-value.ts'
import type { Control } from '../components/control.ts'
import { shownTitle } from '../components/model-title.ts'
import { FIND } from '../components/object-picker.ts'
import { editGroups } from '../forms/edit-controls.ts'
import { withPickers } from '../forms/pickers.ts'
import { translate } from '../texts/translate.ts'
import { CABLING_MODELS } from './cabling-models.ts'
import { portTypes, sideNames } from './connect-sides.ts'

/** Names of the parameters that order the pairs. */
export const ORDER = 'order'
export const COUNT = 'count'
export const REVERSED = 'reversed'

const SIDES = ['a', 'b'] as const

/** The choice of a device, a kind of ports and a first port, for each side. */
export async function sideControls(request: ApiRequest): Promise<readonly (readonly Control[])[]> {
  const controls = SIDES.map((side) => controlsOf(request, side))
  const words = new Map(
    SIDES.map((side) => [sideNames(side).device, lastValue(request.search, `${FIND}${sideNames(side).device}`) ?? '']),
  )
  return await Promise.all(controls.map((control) => withPickers(request, control, { narrowedBy: {}, words })))
}

function controlsOf(request: ApiRequest, side: 'a' | 'b'): readonly Control[] {
  const { search, service } = request
  const { device, type } = sideNames(side)
  const { path } = service.registry.model(CABLING_MODELS.device)
  const id = lastValue(search, device)
  const types = portTypes(request)
  const [usual = ''] = types.map(({ name }) => name).filter((name) => name === CABLING_MODELS.frontPort)
  return [
    {
      name: device,
      label: translate('Device'),
      input: {
        kind: 'objects',
        collection: `/api/${path}/`,
        key: 'id',
        isMultiple: false,
        chosen: id ? [{ value: id }] : [],
      },
    },
    {
      name: type,
      label: translate('Ports'),
      input: {
        kind: 'select',
        options: types.map((model) => ({ value: model.name, label: shownTitle(model) })),
        chosen: [lastValue(search, type) ?? usual],
      },
    },
  ]
}

/** The first port of each side, the number of pairs, and the direction in which the far side is counted. */
export const orderControls = ({ search }: ApiRequest): readonly Control[] => [
  ...SIDES.map((side): Control => {
    const { first } = sideNames(side)
    return {
      name: first,
      label: side === 'a' ? translate('First port of the A side') : translate('First port of the B side'),
      help: translate('Leave empty to start at the first free port.'),
      input: { kind: 'text', type: 'text', value: lastValue(search, first) ?? '' },
    }
  }),
  {
    name: COUNT,
    label: translate('Number of pairs'),
    help: translate('Leave empty to connect all.'),
    input: { kind: 'text', type: 'number', value: lastValue(search, COUNT) ?? '' },
  },
  {
    name: ORDER,
    label: translate('Far ports'),
    input: {
      kind: 'select',
      options: [{ value: REVERSED, label: translate('From the last to the first') }],
      chosen: [lastValue(search, ORDER) === REVERSED ? REVERSED : ''],
      empty: translate('In the same order'),
    },
  },
]

/** Fields of a cable that all cables of several pairs share. */
const SHARED: ReadonlySet<string> = new Set([
  ...['status', 'type', 'profile', 'tenant', 'bundle', 'label', 'color', 'length', 'length_unit'],
  ...['tags', 'changelog_message'],
])

/** The controls of these fields. */
export async function sharedControls(request: ApiRequest): Promise<readonly Control[]> {
  const cable = request.service.registry.model(CABLING_MODELS.cable)
  const groups = await editGroups(request, cable, undefined)
  return groups
    .flatMap(({ controls }) => controls)
    .filter(({ name }) => SHARED.has(name))
    .map((control) =>
      control.name === 'label'
        ? { ...control, help: translate('Use a pattern to number the cables: PP1-[01-24].') }
        : control,
    )
}

import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { formatInterface, parseInterface } from '../../schema/net/ip.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { words } from '../../schema/view.ts'
import { addressModels } from '../addresses/address-models.ts'
import { prefixCanRunOut, prefixShares } from '../addresses/utilization-columns.ts'
import { percent, utilizationBar } from '../components/utilization-bar.ts'
import { contextText } from '../data/object-names.ts'
import { readList, visibleObjects } from '../data/page-objects.ts'
import { numberInOption, type WidgetKind } from '../frame/widget.ts'
import { type Content, html } from '../html.ts'
import { rackModels, racksWithUsage } from '../racks/rack-facts.ts'
import { translate } from '../texts/translate.ts'
import { listOrNothing, numberControl } from './object-widgets.ts'

/** An object with its used share. */
interface Used {
  readonly id: number
  readonly label: string
  /** From 0; 1 is all. */
  readonly share: number
  /** The numbers behind the share. */
  readonly text: string
}

const SHOWN = 8
const MOST_SHOWN = 50
/** Maximum number of racks or prefixes that are compared: the first ones of their list. */
const RACKS = 200
const PREFIXES = 1000

/** The fullest racks or prefixes that the viewer may see. */
export const UTILIZATION: WidgetKind = {
  label: 'Utilization',
  help: 'The fullest racks or prefixes',
  width: 6,
  controls: (_request, { of, max_items }) => [
    {
      name: 'of',
      label: translate('Kind of objects'),
      input: {
        kind: 'select',
        options: [
          { value: 'racks', label: translate('Racks') },
          { value: 'prefixes', label: translate('Prefixes') },
        ],
        chosen: [String(of ?? 'racks')],
      },
    },
    numberControl('max_items', max_items, SHOWN),
  ],
  configOf: (texts) => ({
    of: texts('of').at(-1) === 'prefixes' ? 'prefixes' : 'racks',
    max_items: numberInOption(texts('max_items').at(-1), SHOWN, MOST_SHOWN),
  }),
  content: async (request, { of, max_items }) => {
    const isOfRacks = of !== 'prefixes'
    const { registry } = request.service
    const model = isOfRacks ? rackModels(registry).rack : addressModels(registry).prefix
    if (!mayAct(request.actor, 'view', model, request.service.settings)) return undefined
    const all = isOfRacks ? await usedRacks(request) : await usedPrefixes(request)
    const fullest = all
      .filter(({ share }) => share > 0)
      .toSorted((left, right) => right.share - left.share)
      .slice(0, numberInOption(max_items, SHOWN, MOST_SHOWN))
    const { basePath } = request.service.settings
    const page = `${basePath}${pagePathOf(model)}`
    const { context = [] } = registry.view(model)
    const ids = fullest.map(({ id }) => id)
    const objects = await visibleObjects(request, model, ids, ['id', ...context])
    return listOrNothing(
      fullest.length === 0,
      html`<table class="utilizations bars"><tbody>${fullest.map((used) => tableRow(page, used, contextText(context, objects.get(used.id))))}</tbody></table>`,
    )
  },
}

const tableRow = (page: string, { id, label, share, text }: Used, context: string): Content =>
  html`<tr><th scope="row"><a href="${page}${id}/"><bdi>${label}</bdi></a>${context !== '' && html` <small class="context"><bdi>${context}</bdi></small>`}</th><td>${utilizationBar({ label, share, text })}</td><td class="num">${text}</td></tr>`

async function usedRacks(request: ApiRequest): Promise<readonly Used[]> {
  const model = rackModels(request.service.registry).rack
  const query = new URLSearchParams({ limit: String(RACKS) })
  const { objects } = await readList(request, model, { query, paths: ['id'], count: null })
  const racks = await racksWithUsage(
    request,
    objects.map(({ id }) => Number(id)),
  )
  return racks.map(({ id, name, space: { units, occupied } }) => ({
    id,
    label: name,
    share: units > 0 ? occupied / units : 0,
    text: translate('{used} of {count} unit|{used} of {count} units', {
      used: occupied,
      count: units,
    }),
  }))
}

/** The prefixes that can run out of addresses, of those that the sender may view. */
export async function usedPrefixes(request: ApiRequest): Promise<readonly Used[]> {
  const { prefix } = addressModels(request.service.registry)
  if (!mayAct(request.actor, 'view', prefix, request.service.settings)) return []
  const query = new URLSearchParams({ status__n: 'container', mark_utilized: 'false', limit: String(PREFIXES) })
  const paths = words('id prefix status is_pool mark_utilized')
  const { objects } = await readList(request, prefix, { query, paths, count: null })
  const prefixes = objects.filter(prefixCanRunOut)
  const shares = await prefixShares(request, prefixes)
  return prefixes.flatMap((object): readonly Used[] => {
    const network = parseInterface(String(object.prefix))
    if (!network) return []
    const share = shares.get(Number(object.id)) ?? 0
    return [{ id: Number(object.id), label: formatInterface(network), share, text: percent(share) }]
  })
}

import { isJsonObject, type Json, type JsonObject, objectsIn } from '../../schema/json.ts'
import { componentList } from '../components/component-link.ts'
import { type Attribute, attributesPanel, panel } from '../components/panel.ts'
import { type DisplayOptions, linkToObject } from '../components/value.ts'
import type { Content } from '../html.ts'
import { html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** Panels about cables: the ends of a cable, or the connection of a port. */
export function connectionPanels(object: JsonObject, around: DisplayOptions): readonly Content[] {
  if ('a_terminations' in object) {
    return [
      endPanel(translate('A side'), object.a_terminations, around),
      endPanel(translate('B side'), object.b_terminations, around),
    ]
  }
  return 'cable' in object ? [connectionPanel(object, around)] : []
}

function endPanel(title: string, ends: Json | undefined, around: DisplayOptions): Content {
  const objects = objectsIn(ends).flatMap(({ object }) => (isJsonObject(object) ? [object] : []))
  return panel(
    title,
    objects.length === 0 ? html`<p class="muted">${translate('Not connected')}</p>` : componentList(objects, around),
  )
}

function connectionPanel(object: JsonObject, around: DisplayOptions): Content {
  const { cable, wireless_link: wireless, link_peers: peers, connected_endpoints: far } = object
  const link = [cable, wireless].find((each) => isJsonObject(each))
  if (!link) {
    const text = object.mark_connected === true ? translate('Marked as connected') : translate('Not connected')
    return panel(translate('Connection'), html`<p class="muted">${text}</p>`)
  }
  const [ends, neighbours] = [objectsIn(far), objectsIn(peers)]
  const attributes: Attribute[] = [
    {
      label: cable === link ? translate('Cable') : translate('Wireless link'),
      value: linkToObject(link, { ...around, contexts: new Map() }),
    },
  ]
  if (ends.length > 0) {
    attributes.unshift({ label: translate('Connected to'), value: componentList(ends, around) })
  }
  if (neighbours.length > 0 && !isSame(ends, neighbours)) {
    attributes.push({
      label: translate('Other end of the cable'),
      value: componentList(neighbours, around),
    })
  }
  if (ends.length > 0 && 'connected_endpoints_reachable' in object) {
    const isReachable = object.connected_endpoints_reachable === true
    attributes.push({
      label: translate('Path'),
      value: isReachable ? translate('Connected end to end') : translate('Not connected end to end'),
    })
  }
  return attributesPanel(translate('Connection'), attributes)
}

const isSame = (one: readonly JsonObject[], other: readonly JsonObject[]): boolean =>
  one.map(({ url }) => url).join() === other.map(({ url }) => url).join()

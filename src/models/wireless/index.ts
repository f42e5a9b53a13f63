import type { RegisteredModel } from '../registered-model.ts'
import { wirelessLan, wirelessLanBehaviour, wirelessLanView } from './wireless-lan.ts'
import { wirelessLanGroup, wirelessLanGroupView } from './wireless-lan-group.ts'
import { wirelessLinkBehaviour } from './wireless-link.rules.ts'
import { wirelessLink, wirelessLinkView } from './wireless-link.ts'

/** Wireless networks and links. */
export const WIRELESS: readonly RegisteredModel[] = [
  { model: wirelessLan, behaviour: wirelessLanBehaviour, view: wirelessLanView },
  { model: wirelessLanGroup, view: wirelessLanGroupView },
  { model: wirelessLink, behaviour: wirelessLinkBehaviour, view: wirelessLinkView },
]

import type { RegisteredModel } from '../registered-model.ts'
import { wirelessLanBehaviour } from './wireless-lan.rules.ts'
import { wirelessLan } from './wireless-lan.ts'
import { wirelessLanView } from './wireless-lan.view.ts'
import { wirelessLanGroup } from './wireless-lan-group.ts'
import { wirelessLanGroupView } from './wireless-lan-group.view.ts'
import { wirelessLinkBehaviour } from './wireless-link.rules.ts'
import { wirelessLink } from './wireless-link.ts'
import { wirelessLinkView } from './wireless-link.view.ts'

/** Wireless networks and links. */
export const WIRELESS: readonly RegisteredModel[] = [
  { model: wirelessLan, behaviour: wirelessLanBehaviour, view: wirelessLanView },
  { model: wirelessLanGroup, view: wirelessLanGroupView },
  { model: wirelessLink, behaviour: wirelessLinkBehaviour, view: wirelessLinkView },
]

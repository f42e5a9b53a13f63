import type { RegisteredModel } from '../../schema/view.ts'
import { wirelessLanModel } from './wireless-lan.ts'
import { wirelessLanGroupModel } from './wireless-lan-group.ts'
import { wirelessLinkModel } from './wireless-link.view.ts'

/** Wireless networks and links. */
export const WIRELESS: readonly RegisteredModel[] = [wirelessLanModel, wirelessLanGroupModel, wirelessLinkModel]

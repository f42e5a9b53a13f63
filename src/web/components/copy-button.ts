import type { Model } from '../../schema/registry.ts'
import { type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { icon } from './icon.ts'

const KINDS: ReadonlySet<string | undefined> = new Set(['address', 'network', 'hardwareAddress'])
const NAMES = /^(serial|asset_tag|primary_ip[46]?|oob_ip|primary_mac_address|mac_address)$/

/** Whether people often copy the values of this field to other programs: addresses and numbers of devices. */
export const isCopied = (model: Model, name: string): boolean =>
  KINDS.has(model.fields.get(name)?.kind) || NAMES.test(name)

/** Copies the text before it within its box, whose class is `copied`; the script `copy.client.ts` shows it. */
export function copyButton(): Html {
  const label = translate('Copy')
  return html`<button type="button" class="icon-button" data-copy aria-label="${label}" title="${label}" hidden>${icon('copy')}</button>`
}

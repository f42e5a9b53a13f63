import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { takeNetwork } from '../../schema/net/free-space.ts'
import { formatInterface, type Interface, widthOf } from '../../schema/net/ip.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { type Content, html } from '../components/html.ts'
import { panel } from '../components/panel.ts'
import { translate } from '../texts/translate.ts'
import { addressModels } from './address-models.ts'
import type { ShownSpace } from './address-rows.ts'

/** Lengths that are offered beyond that of the prefix. */
const LENGTHS = 16

/**
 * Forms that take the next free prefix of a length. Without scripts they lead to the form for a prefix; with them the API
 * takes it at once.
 */
export function allocationForms(
  { actor, service, url }: ApiRequest,
  id: number,
  free: readonly Interface[],
  { family, length, vrf }: ShownSpace,
): Content {
  const { settings, registry } = service
  const { prefix } = addressModels(registry)
  if (!mayAct(actor, 'add', prefix, settings)) return undefined
  const last = Math.min(length + LENGTHS, widthOf(family))
  const offers = Array.from({ length: last - length }, (_, index) => length + 1 + index).flatMap(
    (bits) => takeNetwork(free, bits)?.network ?? [],
  )
  if (offers.length === 0) return undefined
  const usual = offers.find((each) => each.length === (family === 4 ? 26 : 64)) ?? offers[0]
  return panel(
    translate('Next Free Prefix'),
    html`<form class="allocate" method="get" action="${settings.basePath}${pagePathOf(prefix)}add/" data-island="allocate" data-allocate="/api/${prefix.path}/${id}/available-prefixes/">
${vrf !== null && html`<input type="hidden" name="vrf" value="${vrf}">`}<input type="hidden" name="return_url" value="${url.pathname}">
<label>${translate('Size')} <select name="prefix">${offers.map((each) => html`<option value="${formatInterface(each)}" data-length="${each.length}"${each === usual && html` selected`}>/${each.length} · ${formatInterface(each)}</option>`)}</select></label>
<div class="buttons"><button class="quiet">${translate('Fill in a form')}</button> <a class="button quiet" href="${settings.basePath}${pagePathOf(prefix)}${id}/split/">${translate('Split')}</a></div>
<p class="allocate-status" role="status"></p></form>`,
  )
}

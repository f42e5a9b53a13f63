import { isJsonObject } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { yamlText } from '../../schema/yaml-text.ts'
import { panel } from '../components/panel.ts'
import { mayActOn } from '../data/page-objects.ts'
import type { ObjectPart } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import { codeBlock } from '../object-parts/code-block.ts'
import { translate } from '../texts/translate.ts'
import { type PackState, packAdditions, packState } from './pack-state.ts'
import { packPages, switchButton } from './packs-page.ts'
import { SETTINGS } from './settings-page.ts'

/** The link to the settings of a pack that has any, from its page. */
const settingsLink = ({ settings }: PackState): Content =>
  settings.length > 0 && html`<p><a class="button quiet" href="${SETTINGS}">${translate('Settings')}</a></p>`

/** What a pack adds, the button that switches it on or off, and the document of one that does not ship. */
export const packPart: ObjectPart = {
  models: [SYSTEM.pack],
  pages: (_, model) => packPages(model),
  load: async ({ request, model, object }) => {
    const pack = packState(request, object)
    const mayChange = await mayActOn(request, 'change', model, pack.id)
    return {
      right: panel(
        translate('What it adds'),
        html`${packAdditions(request, pack)}${mayChange && switchButton(request, model, pack)}${mayChange && settingsLink(pack)}`,
      ),
      below: isJsonObject(object.document) && panel(translate('Document'), codeBlock(yamlText(object.document))),
      styles: ['packs.css'],
    }
  },
}

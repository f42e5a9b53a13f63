import account from '../account/texts.de.json' with { type: 'json' }
import addresses from '../addresses/texts.de.json' with { type: 'json' }
import administration from '../administration/texts.de.json' with { type: 'json' }
import branches from '../branches/texts.de.json' with { type: 'json' }
import bulk from '../bulk/texts.de.json' with { type: 'json' }
import cabling from '../cabling/texts.de.json' with { type: 'json' }
import dashboard from '../dashboard/texts.de.json' with { type: 'json' }
import forms from '../forms/texts.de.json' with { type: 'json' }
import frame from '../frame/texts.de.json' with { type: 'json' }
import grid from '../grid/texts.de.json' with { type: 'json' }
import imports from '../import/texts.de.json' with { type: 'json' }
import lists from '../lists/texts.de.json' with { type: 'json' }
import live from '../live/texts.de.json' with { type: 'json' }
import object from '../object/texts.de.json' with { type: 'json' }
import racks from '../racks/texts.de.json' with { type: 'json' }
import scripts from '../scripts/texts.de.json' with { type: 'json' }
import siteMap from '../site-map/texts.de.json' with { type: 'json' }
import browser from './browser.de.json' with { type: 'json' }
import choiceLabels from './choice-labels.de.json' with { type: 'json' }
import common from './common.de.json' with { type: 'json' }
import fieldLabels from './field-labels.de.json' with { type: 'json' }
import headingLabels from './heading-labels.de.json' with { type: 'json' }
import modelLabels from './model-labels.de.json' with { type: 'json' }

/**
 * All texts of the pages: their English, which is the key, and their German, in neutral wording and with the terms of
 * network engineers. Names in braces are filled in, `|` separates plural forms.
 */
export const german = {
  texts: {
    ...account,
    ...addresses,
    ...administration,
    ...branches,
    ...bulk,
    ...cabling,
    ...dashboard,
    ...forms,
    ...frame,
    ...grid,
    ...imports,
    ...lists,
    ...live,
    ...object,
    ...racks,
    ...scripts,
    ...siteMap,
    ...browser,
    ...common,
  },
  /** Labels of the registry, in lower case: models, fields, headings, choices. Names of standards and connectors stay as they are. */
  labels: Object.assign(
    // Spreading a thousand properties would add 50 milliseconds to each start; this takes less than one.
    {} satisfies Record<string, string>,
    choiceLabels,
    fieldLabels,
    headingLabels,
    modelLabels,
  ),
}

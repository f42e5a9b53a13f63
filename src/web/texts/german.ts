import { germanAccount } from '../account/german.ts'
import { germanAddresses } from '../addresses/german.ts'
import { germanAdministration } from '../administration/german.ts'
import { germanBulk } from '../bulk/german.ts'
import { germanCabling } from '../cabling/german.ts'
import { germanDashboard } from '../dashboard/german.ts'
import { germanForms } from '../forms/german.ts'
import { germanFrame } from '../frame/german.ts'
import { germanGrid } from '../grid/german.ts'
import { germanImports } from '../import/german.ts'
import { germanLists } from '../lists/german.ts'
import { germanLive } from '../live/german.ts'
import { germanObjects } from '../object/german.ts'
import { germanRacks } from '../racks/german.ts'
import { germanScripts } from '../scripts/german.ts'
import { germanBrowser } from './german/browser.ts'
import { germanCommon } from './german/common.ts'
import { germanLabels } from './german/labels.ts'

/**
 * All texts of the pages by their English, which is their key, and their German, in neutral wording and in the terms that
 * network engineers use. Names in braces are filled in, `|` separates plural forms.
 */
export const german = {
  texts: {
    ...germanAccount,
    ...germanAdministration,
    ...germanBrowser,
    ...germanBulk,
    ...germanCommon,
    ...germanDashboard,
    ...germanForms,
    ...germanFrame,
    ...germanGrid,
    ...germanImports,
    ...germanLists,
    ...germanLive,
    ...germanObjects,
    ...germanScripts,
    ...germanRacks,
    ...germanAddresses,
    ...germanCabling,
  },
  labels: germanLabels,
}

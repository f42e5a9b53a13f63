import { germanAccount } from './german/account.ts'
import { germanAddresses } from './german/addresses.ts'
import { germanAdministration } from './german/administration.ts'
import { germanBrowser } from './german/browser.ts'
import { germanBulk } from './german/bulk.ts'
import { germanCabling } from './german/cabling.ts'
import { germanCommon } from './german/common.ts'
import { germanDashboard } from './german/dashboard.ts'
import { germanForms } from './german/forms.ts'
import { germanFrame } from './german/frame.ts'
import { germanGrid } from './german/grid.ts'
import { germanImports } from './german/imports.ts'
import { germanLabels } from './german/labels.ts'
import { germanLists } from './german/lists.ts'
import { germanLive } from './german/live.ts'
import { germanObjects } from './german/objects.ts'
import { germanRacks } from './german/racks.ts'
import { germanScripts } from './german/scripts.ts'
import { germanSplit } from './german/split.ts'
import { germanStart } from './german/start.ts'

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
    ...germanSplit,
    ...germanStart,
    ...germanRacks,
    ...germanAddresses,
    ...germanCabling,
  },
  labels: germanLabels,
}

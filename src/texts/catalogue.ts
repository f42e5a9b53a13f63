import { ACCOUNT_TEXTS } from './catalogue/account.ts'
import { ADDRESSES_TEXTS } from './catalogue/addresses.ts'
import { ADMINISTRATION_TEXTS } from './catalogue/administration.ts'
import { BROWSER_TEXTS } from './catalogue/browser.ts'
import { BULK_TEXTS } from './catalogue/bulk.ts'
import { CABLING_TEXTS } from './catalogue/cabling.ts'
import { COMMON_TEXTS } from './catalogue/common.ts'
import { DASHBOARD_TEXTS } from './catalogue/dashboard.ts'
import { FORMS_TEXTS } from './catalogue/forms.ts'
import { FRAME_TEXTS } from './catalogue/frame.ts'
import { GRID_TEXTS } from './catalogue/grid.ts'
import { IMPORTS_TEXTS } from './catalogue/imports.ts'
import { LISTS_TEXTS } from './catalogue/lists.ts'
import { LIVE_TEXTS } from './catalogue/live.ts'
import { OBJECTS_TEXTS } from './catalogue/objects.ts'
import { RACKS_TEXTS } from './catalogue/racks.ts'
import { SCRIPTS_TEXTS } from './catalogue/scripts.ts'
import { SPLIT_TEXTS } from './catalogue/split.ts'
import { START_TEXTS } from './catalogue/start.ts'

/** All texts of the pages, in English, which are also their keys. Names in braces are filled in, `|` separates plural forms. */
export const TEXTS = [
  ...ACCOUNT_TEXTS,
  ...ADMINISTRATION_TEXTS,
  ...BROWSER_TEXTS,
  ...BULK_TEXTS,
  ...COMMON_TEXTS,
  ...DASHBOARD_TEXTS,
  ...FORMS_TEXTS,
  ...FRAME_TEXTS,
  ...GRID_TEXTS,
  ...IMPORTS_TEXTS,
  ...LISTS_TEXTS,
  ...LIVE_TEXTS,
  ...OBJECTS_TEXTS,
  ...SCRIPTS_TEXTS,
  ...SPLIT_TEXTS,
  ...START_TEXTS,
  ...RACKS_TEXTS,
  ...ADDRESSES_TEXTS,
  ...CABLING_TEXTS,
] as const

/** A text of the catalogue. */
export type Text = (typeof TEXTS)[number]

/** A text without placeholders, such as a heading that is declared in one place and displayed in another. */
export type PlainText = Exclude<Text, `${string}{${string}`>

import type { MenuSection } from '../../schema/menu.ts'
import type { WidgetKinds } from './widget-content.ts'

/** What start pages can consist of. */
export interface Dashboards {
  readonly menu: readonly MenuSection[]
  readonly kinds: WidgetKinds
}

/** Lists that belong together, under a heading of the menu. */
export interface MenuGroup {
  readonly label: string
  /** Names of the models whose lists it offers. */
  readonly models: readonly string[]
}

/** A subject of the menu. */
export interface MenuSection {
  readonly label: string
  readonly groups: readonly MenuGroup[]
}

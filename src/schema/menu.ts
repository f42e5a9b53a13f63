/** Lists that belong together, under a heading of the menu. */
export interface MenuGroup {
  readonly label: string
  /** Names of the models whose lists it offers. */
  readonly models: readonly string[]
  /** Those of them that few people need: the menu folds them as long as there are no objects. */
  readonly rare?: readonly string[]
  /**
   * Pages that are not lists; their paths are below the base path. `model`: for users who may view its objects; without
   * it, for superusers.
   */
  readonly pages?: readonly {
    readonly label: string
    readonly path: string
    readonly model?: string
  }[]
}

/** A subject of the menu. */
export interface MenuSection {
  readonly label: string
  readonly groups: readonly MenuGroup[]
}

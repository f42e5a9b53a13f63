/** Icons of the subjects that the program has, by label in lower case. */
export const SUBJECT_ICONS = [
  'organization',
  'racks',
  'devices',
  'connections',
  'wireless',
  'ipam',
  'vpn',
  'virtualization',
  'circuits',
  'power',
  'provisioning',
  'customization',
  'operations',
  'admin',
] as const

/** Further icons, for the subjects of custom models. */
export const OBJECT_ICONS = [
  'contract',
  'licence',
  'certificate',
  'maintenance',
  'routing',
  'list',
  'asset',
  'people',
  'internet',
  'chip',
  'database',
  'phone',
  'tool',
  'lock',
  'cloud',
  'clock',
  'label',
  'camera',
] as const

export type MenuIcon = (typeof SUBJECT_ICONS | typeof OBJECT_ICONS)[number]

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
  /** Its icon; without one, that of the label, or a common one. */
  readonly icon?: MenuIcon
  readonly groups: readonly MenuGroup[]
}

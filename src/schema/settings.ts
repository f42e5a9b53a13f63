/** What rules may know of the configuration; config/settings.ts holds it all. */
export interface RuleSettings {
  readonly enforceGlobalUnique: boolean
  readonly changelogSkipEmptyChanges: boolean
  readonly allowTokenRetrieval: boolean
  readonly maintenanceMode: boolean
  /** What a new password has to be like; config/password-policy.ts tells of each. */
  readonly authPasswordValidators: {
    readonly shortest: number
    readonly needsMixture: boolean
    readonly refusesCommon: boolean
    readonly refusesSimilar: boolean
    readonly refusesNumeric: boolean
  }
}

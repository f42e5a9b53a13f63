/** The part of the configuration that rules use; config/settings.ts declares all of it. */
export interface RuleSettings {
  readonly enforceGlobalUnique: boolean
  readonly changelogSkipEmptyChanges: boolean
  readonly allowTokenRetrieval: boolean
  readonly maintenanceMode: boolean
  /** Requirements for a new password; config/password-policy.ts describes them. */
  readonly authPasswordValidators: {
    readonly shortest: number
    readonly needsMixture: boolean
    readonly refusesCommon: boolean
    readonly refusesSimilar: boolean
    readonly refusesNumeric: boolean
  }
}

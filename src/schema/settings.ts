/** What rules may know of the configuration; config/settings.ts holds it all. */
export interface Settings {
  readonly enforceGlobalUnique: boolean
  readonly changelogSkipEmptyChanges: boolean
  readonly allowTokenRetrieval: boolean
  readonly maintenanceMode: boolean
}

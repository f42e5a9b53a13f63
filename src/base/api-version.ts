/** Versions of the API that the service supports; the last one is that of the declarations. */
export const API_VERSIONS = ['4.6', '4.7'] as const
export type ApiVersion = (typeof API_VERSIONS)[number]

/** The version of the declarations. */
export const LATEST: ApiVersion = '4.7'

/** The release of NetBox whose API a version equals. Clients get it as the version of the service. */
export const RELEASES: Readonly<Record<ApiVersion, string>> = { '4.6': '4.6.8', '4.7': '4.7.3' }

export const isApiVersion = (text: string): text is ApiVersion => (API_VERSIONS as readonly string[]).includes(text)

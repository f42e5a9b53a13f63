import manifest from '../../package.json' with { type: 'json' }

/** Version of the service, which is that of the API it speaks. */
export const SERVICE_VERSION = manifest.version

/** Major and minor, as clients compare it. */
export const API_VERSION = SERVICE_VERSION.split('.').slice(0, 2).join('.')

import manifest from '../../package.json' with { type: 'json' }

/** Version of the program, equal to the version of the API that it implements. */
export const PROGRAM_VERSION = manifest.version

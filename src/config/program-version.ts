import manifest from '../../package.json' with { type: 'json' }

/** Version of the program, which is that of the API it speaks. */
export const PROGRAM_VERSION = manifest.version

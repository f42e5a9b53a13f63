import { PROGRAM_VERSION } from '../config/program-version.ts'

/** Version of the service as clients read it. */
export const SERVICE_VERSION = PROGRAM_VERSION

/** Major and minor, as clients compare it. */
export const API_VERSION = SERVICE_VERSION.split('.').slice(0, 2).join('.')

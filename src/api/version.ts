import { PROGRAM_VERSION } from '../config/program-version.ts'

/** Version of the service that clients see. */
export const SERVICE_VERSION = PROGRAM_VERSION

/** Major and minor version, which clients compare. */
export const API_VERSION = SERVICE_VERSION.split('.').slice(0, 2).join('.')

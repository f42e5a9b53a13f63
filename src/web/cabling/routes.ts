import type { Model } from '../../schema/registry.ts'
import type { ModelPageRow } from '../object/object-content.ts'
import { CABLING_MODELS } from './cabling-models.ts'
import { CONNECT } from './connect-address.ts'
import { connectPage } from './connect-page.ts'

/** The pages about connections that only one model has. */
export const cablingPages = ({ name }: Model): readonly ModelPageRow[] =>
  name === CABLING_MODELS.cable ? [[`${CONNECT}/`, 'GET POST', connectPage]] : []

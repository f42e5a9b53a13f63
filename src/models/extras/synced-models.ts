import type { Definition } from '../../schema/model.ts'
import { configContext } from './config-context.ts'
import { configContextProfile } from './config-context-profile.ts'
import { configTemplate } from './config-template.ts'
import { exportTemplate } from './export-template.ts'
import { CONTEXT_DATA, PROFILE_SCHEMA, type SyncedField, TEMPLATE_CODE } from './file-content.ts'

/** A model whose objects may take their content from a file of a data source. */
export interface SyncedModel extends SyncedField {
  readonly model: Definition
}

/** All such models. */
export const SYNCED_MODELS: readonly SyncedModel[] = [
  { model: configContext, ...CONTEXT_DATA },
  { model: configContextProfile, ...PROFILE_SCHEMA },
  { model: configTemplate, ...TEMPLATE_CODE },
  { model: exportTemplate, ...TEMPLATE_CODE },
]

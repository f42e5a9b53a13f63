import type { RegisteredModel } from '../../schema/view.ts'
import { autoSyncRecord } from './auto-sync-record.ts'
import { branchModel } from './branch.ts'
import { changePolicyModel, changeRequestModel, changeReviewModel } from './change-request.ts'
import { configRevision } from './config-revision.ts'
import { dataFileModel } from './data-file.ts'
import { dataSourceModel } from './data-source.ts'
import { event } from './event.ts'
import { importedObject } from './imported-object.ts'
import { jobModel, jobTask, jobWorker } from './job.ts'
import { objectChangeModel } from './object-change.ts'
import { contentTypeModel } from './object-type.ts'
import { packModel } from './pack.ts'
import { searchEntry, searchIndex, unindexedChange } from './search-entry.ts'

/** Data sources, jobs, change records, and what the service itself stores. */
export const CORE: readonly RegisteredModel[] = [
  { model: autoSyncRecord },
  branchModel,
  changePolicyModel,
  changeRequestModel,
  changeReviewModel,
  { model: configRevision },
  dataFileModel,
  dataSourceModel,
  { model: event },
  { model: importedObject },
  jobModel,
  { model: jobTask },
  { model: jobWorker },
  objectChangeModel,
  packModel,
  { model: searchEntry },
  { model: searchIndex },
  { model: unindexedChange },
  contentTypeModel,
]

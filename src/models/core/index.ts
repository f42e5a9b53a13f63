import type { RegisteredModel } from '../registered-model.ts'
import { autoSyncRecord } from './auto-sync-record.ts'
import { configRevision } from './config-revision.ts'
import { dataFile } from './data-file.ts'
import { dataFileView } from './data-file.view.ts'
import { dataSource } from './data-source.ts'
import { dataSourceView } from './data-source.view.ts'
import { event } from './event.ts'
import { job } from './job.ts'
import { jobView } from './job.view.ts'
import { jobTask } from './job-task.ts'
import { jobWorker } from './job-worker.ts'
import { objectChange } from './object-change.ts'
import { objectChangeView } from './object-change.view.ts'
import { contentType } from './object-type.ts'
import { objectTypeView } from './object-type.view.ts'
import { searchEntry } from './search-entry.ts'
import { searchIndex } from './search-index.ts'
import { unindexedChange } from './unindexed-change.ts'

/** Data sources, jobs, change records, and what the service itself stores. */
export const CORE: readonly RegisteredModel[] = [
  { model: autoSyncRecord },
  { model: configRevision },
  { model: dataFile, view: dataFileView },
  { model: dataSource, view: dataSourceView },
  { model: event },
  { model: job, view: jobView },
  { model: jobTask },
  { model: jobWorker },
  { model: objectChange, view: objectChangeView },
  { model: searchEntry },
  { model: searchIndex },
  { model: unindexedChange },
  { model: contentType, view: objectTypeView },
]

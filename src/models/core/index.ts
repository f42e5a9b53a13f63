import type { RegisteredModel } from '../registered-model.ts'
import { autoSyncRecord } from './auto-sync-record.ts'
import { branch, branchBehaviour, branchView } from './branch.ts'
import {
  changePolicy,
  changePolicyBehaviour,
  changePolicyView,
  changeRequest,
  changeRequestBehaviour,
  changeRequestView,
  changeReview,
  changeReviewBehaviour,
  changeReviewView,
} from './change-request.ts'
import { configRevision } from './config-revision.ts'
import { dataFile, dataFileView } from './data-file.ts'
import { dataSource, dataSourceView } from './data-source.ts'
import { event } from './event.ts'
import { job, jobTask, jobView, jobWorker } from './job.ts'
import { objectChange, objectChangeView } from './object-change.ts'
import { contentType, objectTypeView } from './object-type.ts'
import { searchEntry, searchIndex, unindexedChange } from './search-entry.ts'

/** Data sources, jobs, change records, and what the service itself stores. */
export const CORE: readonly RegisteredModel[] = [
  { model: autoSyncRecord },
  { model: branch, behaviour: branchBehaviour, view: branchView },
  { model: changePolicy, behaviour: changePolicyBehaviour, view: changePolicyView },
  { model: changeRequest, behaviour: changeRequestBehaviour, view: changeRequestView },
  { model: changeReview, behaviour: changeReviewBehaviour, view: changeReviewView },
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

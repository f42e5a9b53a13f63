import { type LiveWorker, liveWorkers } from '../../../automation/jobs/live-workers.ts'
import { QUEUES } from '../../../automation/jobs/queues.ts'
import { notFound } from '../../../errors.ts'
import { type Action, type ActionRequest, ANY_OBJECT, answerJson } from '../action.ts'
import { listPage, PAGE_PARAMETERS } from '../list-page.ts'

const shown = (base: string, worker: LiveWorker) => ({
  name: worker.name,
  url: `${base}/api/core/background-workers/${worker.name}/`,
  state: worker.is_busy ? 'busy' : 'idle',
  birth_date: worker.started,
  queue_names: QUEUES,
  pid: worker.pid,
  successful_job_count: worker.successes,
  failed_job_count: worker.failures,
  total_working_time: Number(worker.working_time),
})

const listWorkers = async (request: ActionRequest) =>
  listPage(request, await liveWorkers(request.service), (worker) => JSON.stringify(shown(request.base, worker)))

async function oneWorker({ service, base, parameters }: ActionRequest) {
  const worker = (await liveWorkers(service)).find(({ name }) => name === parameters[0])
  if (!worker) throw notFound('Worker')
  return answerJson(shown(base, worker))
}

export const workerActions: readonly Action[] = [
  {
    path: 'core/background-workers',
    hasNoHistory: true,
    title: 'Background Workers',
    methods: {
      GET: {
        permission: 'superuser',
        parameters: PAGE_PARAMETERS,
        answer: ANY_OBJECT,
        handle: listWorkers,
      },
    },
  },
  {
    path: 'core/background-workers/:name',
    hasNoHistory: true,
    title: 'Background Workers',
    methods: {
      GET: {
        permission: 'superuser',
        answer: ANY_OBJECT,
        verb: 'retrieve_by_name',
        handle: oneWorker,
      },
    },
  },
]

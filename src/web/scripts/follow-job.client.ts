// Reloads the page of a job when the status of the job has changed.
import { apiRequest } from '../components/api-request.client.ts'

/** Milliseconds between two checks of the job. */
const PAUSE = 1_500

interface Job {
  readonly status: { readonly value: string }
}

const job = document.querySelector<HTMLElement>('[data-job]')?.dataset.job
if (job) follow(`/api/core/jobs/${job}/?fields=status`)

async function follow(path: string): Promise<void> {
  const read = async () => (await apiRequest<Job>('GET', path)).status.value
  try {
    const first = await read()
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
      if (!document.hidden && (await read()) !== first) break
    }
    location.reload()
  } catch {
    // The page stays unchanged and can be reloaded by hand.
  }
}

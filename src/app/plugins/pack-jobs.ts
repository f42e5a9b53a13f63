import type { JobKind } from '../../automation/jobs/job-kind.ts'
import { runsJobs } from '../../automation/jobs/runs-jobs.ts'
import { scheduledJob } from '../../automation/jobs/scheduled-job.ts'
import { ConfigurationError } from '../../base/errors.ts'
import type { BackgroundWork } from '../../changes/background/background.ts'
import type { Service } from '../../service.ts'
import type { Application } from './application.ts'
import type { Catalogue } from './catalogue.ts'
import type { PackJob } from './pack.ts'

/** A job of a pack, with the name of its kind. */
interface NamedJob {
  readonly kind: string
  readonly pack: string
  readonly job: PackJob
}

/** The jobs of all packs of the catalogue, on or off. */
const jobsOf = (catalogue: Catalogue): readonly NamedJob[] =>
  [...catalogue].flatMap(([pack, { code }]) =>
    (code?.jobs ?? []).map((job) => ({ kind: `${pack}.${job.name}`, pack, job })),
  )

/** The kinds of jobs of packs. A job whose pack has been switched off in the meantime does nothing. */
export const packJobKinds = (now: () => Application, catalogue: Catalogue): readonly JobKind[] =>
  jobsOf(catalogue).map(({ kind, pack, job }) => ({
    name: kind,
    run: async (context) => {
      if (isOn(now(), pack)) await job.run(context)
      else context.log.info(`The pack ${pack} is off.`)
    },
  }))

/** Schedules the jobs that packs repeat, while these packs are on. */
export const packJobSchedules = (
  service: Service,
  now: () => Application,
  catalogue: Catalogue,
): readonly BackgroundWork[] =>
  runsJobs(service)
    ? jobsOf(catalogue).map(({ kind, pack, job: { label, everyMinutes } }) =>
        scheduledJob(service, { kind, name: label }, { everyMinutes, minutesOfDay: [] }, () => isOn(now(), pack)),
      )
    : []

const isOn = ({ plugins }: Pick<Application, 'plugins'>, pack: string): boolean =>
  plugins.some((plugin) => plugin.pack === pack)

/** Runs a command of a pack that is on. Throws ConfigurationError if there is none. */
export async function runPackCommand(
  { plugins, catalogue }: Application,
  service: Service,
  [pack, name, ...words]: readonly [pack: string, name: string, ...words: string[]],
): Promise<void> {
  if (!isOn({ plugins }, pack)) throw new ConfigurationError(`The pack ${pack} is not on.`)
  const commands = catalogue.get(pack)?.code?.commands ?? {}
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    const names = Object.keys(commands).join(', ')
    throw new ConfigurationError(
      `The pack ${pack} has no command ${name}. ${names ? `It has: ${names}.` : 'It has none.'}`,
    )
  }
  await command.run({ service, words, print: (line) => console.log(line) })
}

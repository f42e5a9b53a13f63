import { Command, InvalidArgumentError } from 'commander'
import { measure, measureBesideWriter } from './measure.ts'
import { report } from './report.ts'
import { openSubject, type Subject } from './subject.ts'

interface Options {
  readonly server?: true
  readonly against?: string
  readonly data?: string
  readonly devices: number
  readonly turns: number
  readonly starts: number
  readonly only: string
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('A whole number is expected.')
  return Number(text)
}

await new Command('bench')
  .description('measures the service with default settings, alone or by turns with another checkout')
  .option('--server', 'give each service a PostgreSQL server with more memory, instead of the default')
  .option('--against <directory>', 'another checkout with its packages installed, measured by turns')
  .option('--data <directory>', 'import this data set instead of generating one')
  .option('--devices <number>', 'devices to generate, with ten interfaces each', wholeNumber, 1_000)
  .option('--turns <number>', 'requests of each kind in each mode', wholeNumber, 40)
  .option('--starts <number>', 'starts of the service', wholeNumber, 3)
  .option('--only <text>', 'only requests whose names contain this text', '')
  .action(async ({ server, against, data, devices, turns, starts, only }: Options) => {
    const filling =
      data === undefined
        ? ['bench/generate.ts', '--devices', String(devices)]
        : ['src/cli/main.ts', 'import', '--new', data]
    const directories = against === undefined ? ['.'] : [against, '.']
    const subjects: Subject[] = []
    try {
      for (const directory of directories) {
        subjects.push(await openSubject(directory, server === true, filling))
      }
      const progress = (line: string) => console.error(line)
      const rows = await measure(subjects, { turns, starts, only, progress })
      const beside = []
      for (const subject of subjects) beside.push(await measureBesideWriter(subject, 4))
      console.log(report(rows, { beside, memory: subjects.map((subject) => subject.memory()) }))
    } finally {
      await Promise.all(subjects.map((subject) => subject.close()))
    }
  })
  .parseAsync()

import { Command } from 'commander'
import { type Core, openCore } from '../app/core.ts'
import { ConfigurationError } from '../base/errors.ts'
import {
  changeConfiguration,
  currentStates,
  listRevisions,
  restoreRevision,
} from '../changes/configuration-revisions.ts'
import { revisedValue } from '../config/dynamic-settings.ts'
import { readSettings } from '../config/settings.ts'
import { requireDatabase } from './chosen-database.ts'

const LONGEST_COMMENT = 200

/** Runs `work` with the database of the configuration. */
async function withCore(work: (core: Core) => Promise<void>): Promise<void> {
  const settings = readSettings(process.env)
  requireDatabase(settings)
  const core = await openCore(settings, (sentence) => console.error(sentence))
  try {
    await work(core)
  } finally {
    await core.close()
  }
}

const show = new Command('show')
  .description('print the settings that may change while the service runs, with their sources')
  .action(() =>
    withCore(async ({ service }) => {
      for (const { name, value, source } of await currentStates(service)) {
        console.log(`${name}=${JSON.stringify(value)}  (${source})`)
      }
    }),
  )

const set = new Command('set')
  .description('store a new revision with these values: PAGINATE_COUNT=100; NAME= removes a value')
  .argument('<NAME=value...>')
  .option('--comment <text>', 'why', '')
  .action((assignments: readonly string[], { comment }: { readonly comment: string }) =>
    withCore(async ({ service }) => {
      if (comment.length > LONGEST_COMMENT) {
        throw new ConfigurationError(`A comment may have at most ${LONGEST_COMMENT} characters.`)
      }
      const changes = Object.fromEntries(assignments.map(parseAssignment))
      const id = await changeConfiguration(service, changes, comment)
      console.log(`Revision ${id} is active.`)
    }),
  )

function parseAssignment(assignment: string): readonly [string, unknown] {
  const [, name = '', value = ''] = /^([A-Z_]+)=(.*)$/s.exec(assignment) ?? []
  if (name === '') throw new ConfigurationError(`${assignment} is not of the form NAME=value.`)
  return [name, value === '' ? undefined : revisedValue(name, value)]
}

const revisions = new Command('revisions').description('list all revisions, the newest first').action(() =>
  withCore(async ({ service }) => {
    for (const { id, active, created, comment, data } of await listRevisions(service.database)) {
      const state = active ? 'active' : ''
      console.log([id, created, state, JSON.stringify(data), comment].join('  '))
    }
  }),
)

const restore = new Command('restore')
  .description('make the values of an earlier revision the active ones, as a new revision')
  .argument('<id>')
  .action((id: string) =>
    withCore(async ({ service }) => {
      console.log(`Revision ${await restoreRevision(service, Number(id))} is active.`)
    }),
  )

/** Shows and changes the part of the configuration that is in the database. */
export const configCommand = new Command('config')
  .description('show, set and restore settings that may change while the service runs')
  .addCommand(show)
  .addCommand(set)
  .addCommand(revisions)
  .addCommand(restore)

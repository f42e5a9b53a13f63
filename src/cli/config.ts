import { Command } from 'commander'
import type { Core } from '../app/core.ts'
import { ConfigurationError } from '../base/errors.ts'
import {
  changeConfiguration,
  currentStates,
  listRevisions,
  restoreRevision,
} from '../changes/configuration-revisions.ts'
import { revisedValue } from '../config/dynamic-settings.ts'
import { DECLARATIONS, type Declaration, type Settings } from '../config/settings.ts'
import { JSON_OPTION, printJson } from './output.ts'
import { withCore } from './with-core.ts'

const LONGEST_COMMENT = 200

interface Setting {
  readonly name: string
  readonly value: unknown
  readonly source: string
}

/** Shown in place of a secret. */
const SECRET = '(secret)'

/** All settings with the values in use, and where these come from. */
async function allSettings({ service }: Core): Promise<readonly Setting[]> {
  const { startSettings } = service
  const changeable = new Map((await currentStates(service)).map(({ name, ...state }) => [name, state]))
  return Object.entries<Declaration<unknown>>(DECLARATIONS).map(([key, { name, secret }]) => {
    const { value, source } = changeable.get(name) ?? {
      // The keys are those of the settings.
      value: startSettings[key as keyof Settings],
      source: startSettings.given.has(name) ? 'environment' : 'default',
    }
    const isShown = secret !== true || value === undefined || value === ''
    return { name, value: isShown ? (value ?? null) : SECRET, source }
  })
}

interface ShowOptions {
  readonly all?: true
  readonly json?: true
}

const show = new Command('show')
  .description('Print the settings that can be changed while the service runs, with their sources.')
  .option('--all', 'print all settings; secrets are left out')
  .option(...JSON_OPTION)
  .action(({ all, json }: ShowOptions) =>
    withCore(async (core) => {
      const states: readonly Setting[] = all ? await allSettings(core) : await currentStates(core.service)
      if (json) return printJson(states.map(({ name, value, source }) => ({ name, value, source })))
      for (const { name, value, source } of states) console.log(`${name}=${JSON.stringify(value)}  (${source})`)
    }),
  )

const set = new Command('set')
  .description('Store these values as a new revision. NAME= without a value removes a setting.')
  .argument('<NAME=value...>')
  .option('--comment <text>', 'reason for the change', '')
  .addHelpText('after', '\nExample:\n  cadastre config set PAGINATE_COUNT=100 --comment "Longer lists"')
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

const revisions = new Command('revisions')
  .description('List all revisions, newest first.')
  .option(...JSON_OPTION)
  .action(({ json }: { readonly json?: true }) =>
    withCore(async ({ service }) => {
      const stored = await listRevisions(service.database)
      if (json) return printJson(stored)
      for (const { id, active, created, comment, data } of stored) {
        const state = active ? 'active' : ''
        console.log([id, created, state, JSON.stringify(data), comment].join('  '))
      }
    }),
  )

const restore = new Command('restore')
  .description('Store the values of an earlier revision as a new one.')
  .argument('<id>')
  .action((id: string) =>
    withCore(async ({ service }) => {
      console.log(`Revision ${await restoreRevision(service, Number(id))} is active.`)
    }),
  )

/** Shows and changes the part of the configuration that is in the database. */
export const configCommand = new Command('config')
  .description('Show, set and restore settings that can be changed while the service runs.')
  .addCommand(show)
  .addCommand(set)
  .addCommand(revisions)
  .addCommand(restore)

import { isJsonObject } from '../../schema/json.ts'
import { type Behaviour, behaviour, type EffectFunction, type Normalizer, type Rule } from '../../schema/rule.ts'
import type { Vault } from '../../schema/vault.ts'
import { dataSource } from './data-source.ts'
import {
  maskedNames,
  namedParameters,
  SECRET_PARAMETERS,
  sealParameters,
  sealStoredParameters,
} from './secret-parameters.ts'

type SourceRule = Rule<typeof dataSource.fields>

const SCHEME = /^([a-z][a-z0-9+.-]*):/i

const localSourceIsDirectory: SourceRule = ({ next }) => {
  const scheme = SCHEME.exec(next.source_url)?.[1]?.toLowerCase() ?? 'file'
  return next.type === 'local' && scheme !== 'file'
    ? { source_url: 'The URL of a local source must be a path, or begin with file://.' }
    : undefined
}

/** The URL is shown to every reader of the source. */
const urlHasNoPassword: SourceRule = ({ next, sent }) =>
  sent.has('source_url') && URL.parse(next.source_url)?.password
    ? { source_url: 'Leave the password out of the URL: it is a parameter.' }
    : undefined

const parametersAreNamed: SourceRule = ({ next, sent }) => {
  if (!sent.has('parameters') || next.parameters === null) return
  if (!isJsonObject(next.parameters)) {
    return { parameters: 'Parameters must be an object of values by name.' }
  }
  const parameters = namedParameters(next.parameters)
  const wrong = SECRET_PARAMETERS.filter(
    (name) => !['string', 'undefined'].includes(typeof (parameters[name] ?? undefined)),
  )
  return wrong.length > 0 ? { parameters: `${wrong.join(' and ')} must be text.` } : undefined
}

const maskedSecretsExist: SourceRule = ({ next, previous }) => {
  const stored = namedParameters(previous?.sealed_parameters ?? null)
  const missing = maskedNames(next.parameters).filter((name) => !(name in stored))
  return missing.length > 0
    ? { parameters: `No ${missing.join(' and ')} is stored: send the value itself.` }
    : undefined
}

/** Otherwise a user who may change the source could have its secrets sent to a server of their own. */
const secretsStayWithTheirServer: SourceRule = ({ next, previous }) => {
  if (!previous || serverOf(previous) === serverOf(next)) return
  const names = maskedNames(next.parameters)
  return names.length > 0
    ? { parameters: `The source is now on another server: send ${names.join(' and ')} again.` }
    : undefined
}

function serverOf({ source_url }: { readonly source_url: string }): string {
  const url = URL.parse(source_url)
  return url === null ? source_url : `${url.protocol}//${url.host}`
}

const seal =
  (vault: Vault): Normalizer<typeof dataSource.fields> =>
  ({ next, previous }) =>
    sealParameters(vault, next.parameters, previous?.sealed_parameters ?? null)

/** A source that is given an interval is synchronised at once. */
const showQueued: Normalizer<typeof dataSource.fields> = ({ next, previous }) =>
  next.enabled && next.sync_interval !== null && (!previous?.enabled || previous.sync_interval !== next.sync_interval)
    ? { status: 'queued' }
    : undefined

/**
 * Behaviour of data sources, whose credentials are stored encrypted. `schedule` keeps their jobs in line with their
 * intervals.
 */
export const dataSourceBehaviour = (vault: Vault, schedule: EffectFunction<typeof dataSource.fields>): Behaviour =>
  behaviour(dataSource, {
    modelRules: [
      localSourceIsDirectory,
      urlHasNoPassword,
      parametersAreNamed,
      maskedSecretsExist,
      secretsStayWithTheirServer,
    ],
    beforeSave: [seal(vault), showQueued],
    afterWrite: [schedule],
    rebuild: (database) => sealStoredParameters(database, vault),
  })

import { invalid } from '../../base/errors.ts'
import type { User } from '../../identity/actor.ts'
import { REQUIRED } from '../../schema/outcome.ts'
import type { Model } from '../../schema/registry.ts'
import type { WriteContext } from '../context.ts'
import type { Draft } from '../draft.ts'

/** The setting that determines whose changes need a message. */
interface MessageSettings {
  /** `none`, `people`, `tokens` or `all`. */
  readonly changelogMessageRequired: string
}

/** Whether the user's changes of the model's objects need a message for the change log. People have sessions, programs tokens. */
export function needsMessage(
  { changelogMessageRequired: demanded }: MessageSettings,
  { tokenId }: Pick<User, 'tokenId'>,
  model: Model,
): boolean {
  if (!model.has('changeLogging') || demanded === 'none') return false
  return demanded === 'all' || demanded === (tokenId === undefined ? 'people' : 'tokens')
}

/** Adds an error to each draft without a message, if the request needs one. */
export function demandMessages(context: WriteContext, model: Model, drafts: readonly Draft[]): void {
  if (!isDemanded(context, model)) return
  for (const { message, errors } of drafts) {
    if (message === '' && !errors.has('changelog_message')) {
      errors.set('changelog_message', [REQUIRED])
    }
  }
}

/** Throws `invalid` unless each deletion has a message, if the request needs one. */
export function demandDeletionMessages(context: WriteContext, model: Model, messages: Iterable<string>): void {
  if (!isDemanded(context, model) || [...messages].every((message) => message !== '')) return
  throw invalid({ changelog_message: [REQUIRED] })
}

/** Writes of the service itself and of jobs do not come from a request. */
const isDemanded = ({ service, actor, origin }: WriteContext, model: Model): boolean =>
  origin !== undefined && needsMessage(service.settings, actor, model)

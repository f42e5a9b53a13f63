import type { ApiRequest } from '../../api/api-request.ts'
import type { Model } from '../../schema/registry.ts'
import { needsMessage } from '../../write/validate/demanded-messages.ts'
import type { Control } from '../components/control.ts'
import { translate } from '../texts/translate.ts'

/** Field of a body whose text is written to the change log. */
export const CHANGE_NOTE = 'changelog_message'

/** The control for the message of a change; required if the configuration demands one of the user. */
export const messageControl = (
  { service: { settings }, actor }: Pick<ApiRequest, 'service' | 'actor'>,
  model: Model,
  { help, value = '', errors }: { readonly help: string; readonly value?: string; readonly errors?: readonly string[] },
): Control => ({
  name: CHANGE_NOTE,
  label: translate('Changelog message'),
  help,
  isRequired: actor.kind === 'user' && needsMessage(settings, actor, model),
  ...(errors && { errors }),
  input: { kind: 'text', type: 'text', value, max: 200 },
  sentAs: 'text',
})

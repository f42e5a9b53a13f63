import { cachedPreferencesOf } from '../../api/actions/users/config.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import type { Handler } from '../../api/endpoint.ts'
import { isJsonObject } from '../../schema/json.ts'
import { inLanguage, type Language, languageAccepted, languageNamed } from './language.ts'

/** The handler of a page, which responds in the language of its reader. */
export const inPageLanguage =
  (handler: Handler): Handler =>
  async (request) =>
    await inLanguage(await pageLanguage(request), () => handler(request))

/** The language chosen in the user's preferences, otherwise that of the browser. */
async function pageLanguage({ service, actor, headers }: ApiRequest): Promise<Language> {
  const accepted = languageAccepted(headers['accept-language'])
  if (actor.kind !== 'user') return accepted
  const { locale } = await cachedPreferencesOf(service, actor.id)
  return (isJsonObject(locale) ? languageNamed(locale.language) : undefined) ?? accepted
}

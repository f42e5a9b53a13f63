import { ApiError } from '../base/errors.ts'
import type { Settings } from '../config/settings.ts'
import { createProviders } from './providers.ts'

/** Whether a login provider needs a connection, and why it does not work. */
export interface ProviderTest {
  /** A proxy, or a provider that connects to this service, cannot be tested from here. */
  readonly isTested: boolean
  /** One sentence for each failure. */
  readonly failures: readonly string[]
}

/** Connects to the configured login provider of this name; undefined if there is none. */
export async function testProvider(settings: Settings, name: string): Promise<ProviderTest | undefined> {
  const { oidc, saml, directories, headers, scim } = createProviders(settings)
  const isWanted = ({ config }: { readonly config: { readonly name: string } }) => config.name === name
  const checked = [...saml, ...directories].find(isWanted)
  if (checked) return { isTested: true, failures: await checked.check() }
  const openId = oidc.find(isWanted)
  if (openId) return { isTested: true, failures: await failuresOf(openId.check()) }
  return [...headers, ...scim].some((config) => config.name === name) ? { isTested: false, failures: [] } : undefined
}

async function failuresOf(check: Promise<void>): Promise<readonly string[]> {
  try {
    await check
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [error.message]
  }
}

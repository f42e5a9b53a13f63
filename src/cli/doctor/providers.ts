import { ConfigurationError } from '../../base/errors.ts'
import type { Settings } from '../../config/settings.ts'
import { createProviders, labelOf } from '../../identity/providers.ts'
import { type Finding, ok, problem } from './finding.ts'

const ADVICE = 'Nobody can sign in with it until it works. Compare the options with those of the provider.'

/**
 * Checks each login provider as far as that is possible without a password: metadata, connections, certificates,
 * accounts, filters.
 */
export async function checkProviders(settings: Settings): Promise<readonly Finding[]> {
  try {
    const { oidc, saml, directories, headers, scim, issuers } = createProviders(settings)
    const findings: Finding[] = []
    for (const { config, check } of oidc) {
      const failure = await check().then(
        () => undefined,
        (error: unknown) => sentenceOf(error),
      )
      const text = `${labelOf(config)} (${config.name})`
      findings.push(
        failure === undefined
          ? ok('sign-in', `${text} returns its metadata.`)
          : problem('sign-in', `${text} at ${config.issuer}: ${failure}`, ADVICE),
      )
    }
    for (const { config, check } of saml) {
      const text = `${labelOf(config)} (${config.name})`
      const failures = await check()
      if (failures.length === 0) findings.push(ok('sign-in', `${text} responds, and its certificates are valid.`))
      findings.push(...failures.map((failure) => problem('sign-in', `${text}: ${failure}`, ADVICE)))
    }
    for (const { config, check } of directories) {
      const failures = await check()
      if (failures.length === 0) findings.push(ok('sign-in', `All servers of the directory ${config.name} respond.`))
      findings.push(...failures.map((text) => problem('sign-in', `The directory ${config.name}, ${text}`, ADVICE)))
    }
    findings.push(
      ...headers.map(({ name, header }) =>
        ok('sign-in', `Proxies in TRUST_PROXY name people in the header ${header} (${name}).`),
      ),
    )
    findings.push(...scim.map(({ name }) => ok('sign-in', `${name} may keep users and groups here at /scim/v2.`)))
    const unreachable = await issuers.check()
    findings.push(...unreachable.map((text) => problem('sign-in', `The issuer of tokens ${text}`, ADVICE)))
    return findings
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return [problem('sign-in', error.message, 'The service does not start until it is corrected.')]
  }
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Profile, SAML } from '@node-saml/node-saml'
import { ConfigurationError } from '../base/errors.ts'
import type { SamlConfig } from '../config/auth-providers.ts'
import { isJsonObject } from '../schema/json.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { NOW, sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { deleteFrom, insertInto, table } from '../sql/table.ts'
import type { Person } from './external-account.ts'
import { LoginRefusal } from './login-refusal.ts'

/** A SAML 2.0 identity provider: requests by redirect, responses by POST (saml-profiles-2.0 §4.1). */
export interface SamlProvider {
  readonly config: SamlConfig
  /** Address for the browser, and what to store: it proves that the response belongs to this browser's request. */
  begin(callback: string): Promise<{ readonly address: URL; readonly pending: { readonly secret: string } }>
  /** The person of a response to this browser's request. Throws LoginRefusal. */
  complete(queryable: Queryable, response: string, visit: SamlVisit): Promise<Person>
  /** This service's metadata: XML. */
  metadata(callback: string): Promise<string>
  /** Checks the certificates and requests a page from the provider. Resolves to one sentence for each failure. */
  check(): Promise<readonly string[]>
}

interface SamlVisit {
  /** Address to which responses are sent. */
  readonly callback: string
  readonly secret: string
}

/** Milliseconds of tolerance between clocks. */
const CLOCK_SKEW = 60_000
/** Milliseconds for which an assertion is accepted, whatever it says itself: long enough for a person to return. */
const LONGEST_LIFE = 600_000
/** Maximum number of characters of a response in base64; one with 500 groups has 60,000. */
const LONGEST_RESPONSE = 150_000
/**
 * Maximum number of tags of a response, which has two for each group: before its signature is verified, the library
 * spends 2 s on 6,000 of them.
 */
const MOST_TAGS = 2_000
/** Milliseconds to wait for the provider's page. */
const TIMEOUT = 10_000

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

/** The configured provider. Throws ConfigurationError for a file of certificates that cannot be read. */
export function samlProvider(config: SamlConfig): SamlProvider {
  const certificates = readCertificates(config)
  const client = async (callback: string, requestId: string): Promise<SAML> => {
    // Loaded on demand: most services have no such provider.
    const { SAML, ValidateInResponseTo } = await import('@node-saml/node-saml')
    const isOurs = (id: string | null) => id === requestId
    return new SAML({
      issuer: config.entity_id,
      audience: config.entity_id,
      callbackUrl: callback,
      entryPoint: config.sso_url,
      idpCert: certificates.map(String),
      idpIssuer: config.idp_entity_id,
      identifierFormat: config.name_id_format,
      disableRequestedAuthnContext: true,
      wantAssertionsSigned: true,
      wantAuthnResponseSigned: false,
      acceptedClockSkewMs: CLOCK_SKEW,
      maxAssertionAgeMs: LONGEST_LIFE,
      generateUniqueId: () => requestId,
      validateInResponseTo: ValidateInResponseTo.always,
      // The browser stores the request; this only identifies it.
      cacheProvider: {
        saveAsync: async () => null,
        getAsync: async (id) => (isOurs(id) ? new Date().toISOString() : null),
        removeAsync: async () => null,
      },
    })
  }
  return {
    config,
    begin: async (callback) => {
      const secret = randomBytes(32).toString('base64url')
      const saml = await client(callback, requestIdOf(secret))
      return { address: new URL(await saml.getAuthorizeUrlAsync('', undefined, {})), pending: { secret } }
    },
    complete: async (queryable, response, { callback, secret }) => {
      const requestId = requestIdOf(secret)
      const profile = await verify(await client(callback, requestId), response, { config, callback, requestId })
      await useOnce(queryable, requestId)
      return personOf(profile, config)
    },
    metadata: async (callback) => (await client(callback, '')).generateServiceProviderMetadata(null, null),
    check: () => examine(config, certificates),
  }
}

/**
 * Id of the request for which the browser holds the secret. The response shows the id, so whoever intercepts a response
 * knows it, but cannot use the response without the secret.
 */
const requestIdOf = (secret: string): string => `_${createHash('sha256').update(secret).digest('hex')}`

function readCertificates({ name, certificate_file }: SamlConfig): readonly X509Certificate[] {
  try {
    const blocks = readFileSync(certificate_file, 'utf8').match(
      /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g,
    )
    const certificates = (blocks ?? []).map((block) => new X509Certificate(block))
    if (certificates.length > 0) return certificates
  } catch {
    // Said below.
  }
  throw new ConfigurationError(
    `The login provider ${name} needs a certificate_file with the provider's certificates in PEM format: ${certificate_file} has another format, or cannot be read.`,
  )
}

interface Expected {
  readonly config: SamlConfig
  readonly callback: string
  readonly requestId: string
}

/** The signed content of a response that is for this request. Throws LoginRefusal. */
async function verify(saml: SAML, response: string, expected: Expected): Promise<Profile> {
  const { SamlStatusError } = await import('@node-saml/node-saml')
  try {
    const content = usualContent(response)
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: response })
    if (!profile) throw new Error('no assertion')
    requireSuccess(content)
    checkAssertion(profile, expected)
    return profile
  } catch (cause) {
    if (cause instanceof SamlStatusError || cause instanceof Failure) {
      throw new LoginRefusal('The login provider refused.', { cause })
    }
    throw new LoginRefusal('The response of the login provider could not be verified.', { cause })
  }
}

/** The status of the response says that the person has not signed in. */
class Failure extends Error {}

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success'

/**
 * The XML of the response, with characters instead of references. Throws for XML that no provider sends: document types
 * (entities), comments and processing instructions, which parsers and signatures interpret differently. Refuses SHA-1
 * too, which the library still accepts.
 */
function usualContent(response: string): string {
  if (response.length > LONGEST_RESPONSE) throw new Error('too long')
  const xml = Buffer.from(response, 'base64').toString()
  if (xml.split('<').length > MOST_TAGS) throw new Error('too many elements')
  if (/<!|<\?(?!xml\s)/i.test(xml)) throw new Error('comments, document types and instructions are not accepted')
  const content = withoutReferences(xml)
  if (/xmldsig#(?:\w+-)?sha1\b/.test(content)) throw new Error('signatures with SHA-1 are not accepted')
  return content
}

/** Throws if the status is a failure: the library looks at it only in a response without an assertion. */
function requireSuccess(content: string): void {
  const status = /<(?:[\w.-]+:)?StatusCode\s[^>]*?\bValue\s*=\s*["'](.*?)["']/s.exec(content)?.[1]
  if (status !== SUCCESS) throw new Failure(`the status is ${status}`)
}

/** The text with the characters for which references stand: to a parser, `sha&#49;` is `sha1`. */
const withoutReferences = (xml: string): string =>
  xml.replace(/&#(?:x([\da-f]+)|(\d+));/gi, (reference, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : reference
  })

/**
 * Throws if the assertion is from another provider, or for another service or request: the library does not check that.
 */
function checkAssertion(profile: Profile, { config, callback, requestId }: Expected): void {
  if (profile.issuer !== config.idp_entity_id) throw new Error('another issuer')
  const document: unknown = profile.getAssertion?.()
  const assertion = partsOf({ document }, 'document', 'Assertion')[0]
  if (partsOf(assertion, 'AuthnStatement').length === 0)
    throw new Error('it does not say that the person has signed in')
  const isConfirmed = partsOf(assertion, 'Subject', 'SubjectConfirmation').some((confirmation) => {
    if (attributesOf(confirmation).Method !== BEARER) return false
    return partsOf(confirmation, 'SubjectConfirmationData').some((data) => {
      const { Recipient, InResponseTo, NotOnOrAfter } = attributesOf(data)
      const ends = Date.parse(String(NotOnOrAfter))
      return Recipient === callback && InResponseTo === requestId && Date.now() < ends + CLOCK_SKEW
    })
  })
  if (!isConfirmed) throw new Error('not for this address and request, or expired')
}

/** Elements at a path, in the form of the library's parser: each name contains a list, attributes are in `$`. */
function partsOf(element: unknown, ...path: readonly string[]): readonly unknown[] {
  return path.reduce<readonly unknown[]>(
    (elements, name) =>
      elements.flatMap((item) => (isJsonObject(item) && item[name] !== undefined ? [item[name]].flat() : [])),
    [element],
  )
}

const attributesOf = (element: unknown): Readonly<Record<string, unknown>> =>
  isJsonObject(element) && isJsonObject(element.$) ? element.$ : {}

/** Throws LoginRefusal if the request has already been answered. Of two responses at the same time, only one counts. */
async function useOnce(queryable: Queryable, requestId: string): Promise<void> {
  await queryable.execute(sql`
    ${deleteFrom(SYSTEM.usedAssertion)} where id in (
      select id from ${table(SYSTEM.usedAssertion)} where ends <= ${NOW} for update skip locked)`)
  const rows = await queryable.query(sql`
    ${insertInto(SYSTEM.usedAssertion)} (request, ends)
    values (${requestId}, ${NOW} + make_interval(secs => ${(LONGEST_LIFE + 2 * CLOCK_SKEW) / 1000}::int))
    on conflict do nothing returning id`)
  if (rows.length === 0) throw new LoginRefusal('This login has been completed already. Start again.')
}

function personOf(profile: Profile, config: SamlConfig): Person {
  const attributes: unknown = profile.attributes
  const valuesOf = (name: string): readonly string[] => {
    const values = isJsonObject(attributes) && Object.hasOwn(attributes, name) ? [attributes[name]].flat() : []
    return values.filter((value) => typeof value === 'string')
  }
  const textOf = (name: string): string => valuesOf(name)[0] ?? ''
  const { username_attribute, subject_attribute, groups_attribute } = config
  const subject = subject_attribute === undefined ? (profile.nameID ?? '') : textOf(subject_attribute)
  if (subject === '' || (subject_attribute === undefined && profile.nameIDFormat === TRANSIENT)) {
    throw new LoginRefusal('The login provider did not send your permanent id.')
  }
  return {
    issuer: `saml:${config.idp_entity_id}`,
    subject,
    username: () => {
      const username = textOf(username_attribute)
      if (username === '') throw new LoginRefusal(`The login provider did not send your ${username_attribute}.`)
      return username
    },
    firstName: textOf(config.first_name_attribute),
    lastName: textOf(config.last_name_attribute),
    email: textOf(config.email_attribute),
    groups: groups_attribute === undefined ? undefined : new Set(valuesOf(groups_attribute)),
  }
}

async function examine({ sso_url }: SamlConfig, certificates: readonly X509Certificate[]): Promise<readonly string[]> {
  const failures: string[] = []
  if (certificates.every(({ validTo }) => Date.parse(validTo) < Date.now())) {
    failures.push('the certificates in certificate_file have expired: compare them with those of the provider.')
  }
  try {
    await fetch(sso_url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) })
  } catch (error) {
    const why = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    failures.push(`${sso_url} does not respond: ${why}`)
  }
  return failures
}

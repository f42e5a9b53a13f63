import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getSamlResponse, parseRequest } from 'samlp'
import { SignedXml } from 'xml-crypto'

/** A person at the provider. */
export interface Account {
  readonly id: string
  readonly attributes: Readonly<Record<string, string | readonly string[]>>
}

/** A key with its certificate. */
export interface KeyPair {
  readonly key: string
  readonly certificate: string
  readonly certificateFile: string
}

/** A new key with a certificate of its own. */
export function makeKeyPair(): KeyPair {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-test-'))
  const [keyFile, certificateFile] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')]
  const options = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=idp', '-days', '2']
  execFileSync('openssl', [...options, '-keyout', keyFile, '-out', certificateFile], { stdio: 'ignore' })
  return { key: readFileSync(keyFile, 'utf8'), certificate: readFileSync(certificateFile, 'utf8'), certificateFile }
}

/** What the provider's page makes the browser send, and the request that it received. */
export interface SentForm {
  readonly callback: string
  readonly requestId: string
  readonly SAMLResponse: string
}

/** A real SAML identity provider without a login page: `account` signs in. */
export interface TestIdp {
  readonly entityId: string
  readonly ssoUrl: string
  readonly keys: KeyPair
  account: Account
  /** What the provider's page would send for a request. */
  visit(address: string): Promise<SentForm>
  close(): Promise<void>
}

export const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

export async function startIdp(keys: KeyPair, entityId = 'urn:example:idp'): Promise<TestIdp> {
  const parse = promisify(parseRequest)
  const respond = promisify(getSamlResponse)
  const answer = async (query: Readonly<Record<string, string>>): Promise<SentForm> => {
    const { id, issuer, assertionConsumerServiceURL: callback } = await parse({ query })
    const { account } = idp
    const options = {
      ...{ issuer: entityId, cert: keys.certificate, key: keys.key, lifetimeInSeconds: 300 },
      ...{ audience: issuer, recipient: callback, destination: callback, inResponseTo: id },
      ...{ signatureAlgorithm: 'rsa-sha256', digestAlgorithm: 'sha256' },
      profileMapper: () => ({
        getClaims: () => account.attributes,
        getNameIdentifier: () => ({ nameIdentifier: account.id, nameIdentifierFormat: PERSISTENT }),
      }),
    }
    const response = await respond(options, account)
    return { callback, requestId: id, SAMLResponse: Buffer.from(response).toString('base64') }
  }
  const server = createServer((request, response) => {
    const query = Object.fromEntries(new URL(request.url ?? '', 'http://idp').searchParams)
    if (query.SAMLRequest === undefined) {
      response.end('the page of a provider')
      return
    }
    answer(query).then(
      (form) => response.end(JSON.stringify(form)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const idp: TestIdp = {
    ...{ entityId, keys, account: { id: 'nobody', attributes: {} } },
    ssoUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/sso`,
    visit: async (url) => JSON.parse(await (await fetch(url)).text()),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return idp
}

/** Parts of a response that an attacker, or a careless provider, might choose. */
export interface Forgery {
  readonly issuer: string
  readonly audience: string
  readonly recipient: string
  readonly inResponseTo: string
  readonly nameId: string
  readonly nameIdFormat: string
  readonly username: string
  /** Seconds from now. */
  readonly notBefore: number
  readonly notOnOrAfter: number
  readonly issued: number
  readonly method: string
  /** Absent: unsigned. */
  readonly signer: KeyPair | undefined
  readonly algorithm: 'rsa-sha256' | 'rsa-sha1'
  readonly signs: 'Assertion' | 'Response'
  /** What the signed assertion lacks. */
  readonly omits: RegExp | undefined
}

const at = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString()

/** The XML of a response with these parts. */
export function responseXml(forgery: Forgery): string {
  const { issuer, audience, recipient, inResponseTo, nameId, nameIdFormat, username, signer, signs } = forgery
  const times = `NotBefore="${at(forgery.notBefore)}" NotOnOrAfter="${at(forgery.notOnOrAfter)}"`
  const whole = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r" Version="2.0" IssueInstant="${at(forgery.issued)}" Destination="${recipient}" InResponseTo="${inResponseTo}"><saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion ID="_a" Version="2.0" IssueInstant="${at(forgery.issued)}"><saml:Issuer>${issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${nameIdFormat}">${nameId}</saml:NameID><saml:SubjectConfirmation Method="${forgery.method}"><saml:SubjectConfirmationData Recipient="${recipient}" InResponseTo="${inResponseTo}" NotOnOrAfter="${at(forgery.notOnOrAfter)}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions ${times}><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${at(forgery.issued)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement><saml:Attribute Name="uid"><saml:AttributeValue>${username}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion></samlp:Response>`
  const xml = forgery.omits ? whole.replace(forgery.omits, '') : whole
  if (!signer) return xml
  const digest =
    forgery.algorithm === 'rsa-sha1'
      ? 'http://www.w3.org/2000/09/xmldsig#sha1'
      : 'http://www.w3.org/2001/04/xmlenc#sha256'
  const namespace =
    forgery.algorithm === 'rsa-sha1' ? 'http://www.w3.org/2000/09/xmldsig#' : 'http://www.w3.org/2001/04/xmldsig-more#'
  const signature = new SignedXml({
    privateKey: signer.key,
    publicCert: signer.certificate,
    signatureAlgorithm: `${namespace}${forgery.algorithm}`,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  })
  signature.addReference({
    xpath: `//*[local-name(.)='${signs}']`,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
    digestAlgorithm: digest,
  })
  const reference = `//*[local-name(.)='${signs}']/*[local-name(.)='Issuer']`
  signature.computeSignature(xml, { location: { reference, action: 'after' } })
  return signature.getSignedXml()
}

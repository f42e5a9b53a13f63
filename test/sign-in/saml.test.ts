import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkProviders } from '../../src/cli/doctor/providers.ts'
import { readSettings } from '../../src/config/settings.ts'
import { Browser, type PageAnswer } from '../sessions/browser.ts'
import { type Api, apiOfTest, type Document, startApi } from '../support/api.ts'
import { freePort } from '../support/free-port.ts'
import { LogLines } from '../support/log-lines.ts'
import {
  type Account,
  type Forgery,
  makeKeyPair,
  PERSISTENT,
  responseXml,
  type SentForm,
  startIdp,
  type TestIdp,
} from './saml-provider.ts'

const WHO = '/api/authentication-check/'
const ENTITY = 'https://cadastre.example.com/saml'
const REFUSED = 'The response of the login provider could not be verified.'

const keys = makeKeyPair()
const foreignKeys = makeKeyPair()

const optionsOf = (name: string, idp: TestIdp, more: object = {}): object => ({
  ...{ type: 'saml', name, entity_id: ENTITY, idp_entity_id: idp.entityId, sso_url: idp.ssoUrl },
  ...{ certificate_file: idp.keys.certificateFile, username_attribute: 'uid', groups_attribute: 'memberOf' },
  ...more,
})

const account = (name: string, more: Account['attributes'] = {}): Account => ({
  id: `id-${name}`,
  attributes: { uid: name, ...more },
})

/** Follows the login page to the provider; returns what its page makes the browser send. */
async function visitProvider(browser: Browser, idp: TestIdp, name = 'idp', next = ''): Promise<SentForm> {
  const begun = await browser.visit(`/saml/login/${name}/?next=${encodeURIComponent(next)}`)
  expect([begun.status, begun.location]).toEqual([303, expect.stringMatching(`^${idp.ssoUrl}`)])
  return await idp.visit(begun.location ?? '')
}

const send = (browser: Browser, { callback, SAMLResponse }: Pick<SentForm, 'callback' | 'SAMLResponse'>) =>
  // The form comes from the provider's page.
  browser.visit(callback, { form: { SAMLResponse, RelayState: '' }, headers: { origin: 'https://idp.example.com' } })

const whoIs = async (browser: Browser): Promise<Document> =>
  JSON.parse((await browser.visit(WHO, { headers: { accept: 'application/json' } })).text)

const groupsOf = (user: Document): readonly string[] => [...(user.groups ?? [])].map(({ name }) => String(name)).sort()

describe('SAML', () => {
  let api: Api
  let idp: TestIdp
  const log = new LogLines()
  beforeAll(async () => {
    idp = await startIdp(keys)
    const options = { groups: { 'net-ops': 'operators' }, superuser_groups: ['net-admins'], label: 'The IdP' }
    const AUTH_PROVIDERS = JSON.stringify([optionsOf('idp', idp, options)])
    api = await startApi({ PORT: String(await freePort()), AUTH_PROVIDERS, LOG_LEVEL: 'info' }, log)
    await api.make('users/groups', { name: 'operators' })
  })
  afterAll(async () => {
    await api.close()
    await idp.close()
  })

  const logIn = async (who: Account, next = ''): Promise<{ browser: Browser; answer: PageAnswer }> => {
    idp.account = who
    const browser = new Browser(api.url)
    return { browser, answer: await send(browser, await visitProvider(browser, idp, 'idp', next)) }
  }

  it('the login page links to the provider, and the metadata contain what the provider needs', async () => {
    const page = await new Browser(api.url).visit('/login/?next=/dcim/sites/')
    expect(page.text).toContain('href="/saml/login/idp/?next=%2Fdcim%2Fsites%2F"')
    expect(page.text).toContain('Log in with The IdP')
    const { status, text, headers } = await new Browser(api.url).visit('/saml/metadata/idp/')
    expect([status, headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('application/samlmetadata+xml'),
    ])
    expect(text).toContain(`entityID="${ENTITY}"`)
    expect(text).toContain('WantAssertionsSigned="true"')
    expect(text).toContain(`Location="${api.url}/saml/acs/idp/"`)
  })

  it('an unknown person becomes a user, in the groups of the provider', async () => {
    const person = account('alice', {
      ...{ givenName: 'Alice', sn: 'Adams', mail: 'alice@example.com' },
      memberOf: ['net-ops', 'accounting'],
    })
    const { browser, answer } = await logIn(person, '/dcim/sites/?q=a')
    expect([answer.status, answer.location]).toEqual([303, '/dcim/sites/?q=a'])
    const user = await whoIs(browser)
    expect(user).toMatchObject({ first_name: 'Alice', last_name: 'Adams', email: 'alice@example.com' })
    expect(groupsOf(user)).toEqual(['operators'])
    expect([...browser.cookies.keys()].sort()).toEqual(['csrftoken', 'sessionid'])
    expect(log.audited.at(-1)).toMatchObject({ event: 'login', user: 'alice', way: 'saml', provider: 'idp' })
  })

  it('a user is identified by the permanent id, and groups and superuser status follow each login', async () => {
    const { id } = await whoIs((await logIn(account('bob', { memberOf: 'net-ops' }))).browser)
    const isSuperuser = async () =>
      Number((await api.ask('GET', '/api/users/users/?is_superuser=true&username=bob')).json.count) > 0
    const renamed = await whoIs((await logIn({ ...account('robert'), id: 'id-bob' })).browser)
    expect([renamed.id, renamed.username, groupsOf(renamed)]).toEqual([id, 'bob', []])
    await logIn(account('bob', { memberOf: ['net-admins'] }))
    expect(await isSuperuser()).toBe(true)
    await logIn(account('bob'))
    expect(await isSuperuser()).toBe(false)
  })

  const refusals: readonly (readonly [string, Account, string])[] = [
    ['somebody with the name of a superuser', account('ADMIN'), 'Your user name belongs to another account here.'],
    ['somebody with the name of another person', { ...account('alice'), id: 'other' }, 'belongs to another account'],
    ['somebody without a name', { id: 'id-x', attributes: {} }, 'The login provider did not send your uid.'],
    ['somebody with a name that cannot be one', account('no such name!'), 'cannot be used here'],
  ]
  it.each(refusals)('%s cannot sign in', async (_name, who, refusal) => {
    const { answer, browser } = await logIn(who)
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining(refusal)])
    expect(browser.cookies.has('sessionid')).toBe(false)
    expect(log.audited.at(-1)).toMatchObject({ event: 'loginFailed', provider: 'idp' })
  })

  it('a response can be used for one login only, even at the same time and with the cookie of its browser', async () => {
    idp.account = account('carol')
    const browser = new Browser(api.url)
    const form = await visitProvider(browser, idp)
    const thieves = [browser, new Browser(api.url), new Browser(api.url)]
    for (const thief of thieves.slice(1)) thief.cookies.set('saml_login', browser.cookies.get('saml_login') ?? '')
    const answers = await Promise.all(thieves.map((thief) => send(thief, form)))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 403, 403])
    const late = new Browser(api.url)
    late.cookies.set('saml_login', thieves[1]?.cookies.get('saml_login') ?? '')
    expect((await send(late, form)).status).toBe(403)
  })
})

describe('responses that are refused', () => {
  let api: Api
  let idp: TestIdp
  let sibling: TestIdp
  const log = new LogLines()
  beforeAll(async () => {
    idp = await startIdp(keys)
    // Several tenants of one provider may share a key.
    sibling = await startIdp(keys, 'urn:example:sibling')
    const AUTH_PROVIDERS = JSON.stringify([optionsOf('idp', idp), optionsOf('sibling', sibling)])
    api = await startApi({ PORT: String(await freePort()), AUTH_PROVIDERS, LOG_LEVEL: 'info' }, log)
  })
  afterAll(async () => {
    await api.close()
    await idp.close()
    await sibling.close()
  })

  /** A correct response to the browser's request, except for some parts; `change` corrupts its XML. */
  const forge = async (
    parts: Partial<Forgery>,
    change: (xml: string, requestId: string) => string = (xml) => xml,
  ): Promise<Attempt> => {
    const browser = new Browser(api.url)
    const { callback, requestId } = await visitProvider(browser, idp)
    const xml = responseXml({
      ...{ issuer: idp.entityId, audience: ENTITY, recipient: callback, inResponseTo: requestId },
      ...{ nameId: 'id-dave', nameIdFormat: PERSISTENT, username: 'dave', notBefore: -5, notOnOrAfter: 120, issued: 0 },
      ...{
        method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
        signer: keys,
        algorithm: 'rsa-sha256',
        signs: 'Assertion',
        omits: undefined,
      },
      ...parts,
    })
    return { browser, callback, SAMLResponse: Buffer.from(change(xml, requestId)).toString('base64') }
  }
  interface Attempt extends Pick<SentForm, 'callback' | 'SAMLResponse'> {
    readonly browser: Browser
  }

  it('the unmodified response is accepted, also within the allowed clock difference', async () => {
    for (const parts of [{}, { notBefore: 30 }, { notOnOrAfter: -30, notBefore: -200, issued: -100 }]) {
      const { browser, ...form } = await forge(parts)
      expect((await send(browser, form)).status).toBe(303)
    }
  })

  const evil = '<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">id-admin</saml:NameID>'
  /** The signed assertion, and one that names another person. */
  const wrapped = (xml: string): { original: string; forged: string } => {
    const original = /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''
    const forged = original
      .replace(/<Signature.*<\/Signature>/s, '')
      .replace(/<saml:NameID.*<\/saml:NameID>/s, evil)
      .replace('ID="_a"', 'ID="_evil"')
    return { original, forged }
  }
  const xsw = (build: (original: string, forged: string) => string) => (xml: string) => {
    const { original, forged } = wrapped(xml)
    return xml.replace(original, build(original, forged))
  }
  const nested = `${'<a>'.repeat(6_000)}${'</a>'.repeat(18_000)}`

  const attacks: readonly (readonly [
    name: string,
    reason: string,
    parts: Partial<Forgery>,
    change?: ((xml: string, requestId: string) => string) | undefined,
  ])[] = [
    ['the signature of another key', 'Invalid signature', { signer: foreignKeys }],
    ['no signature', 'Invalid signature', { signer: undefined }],
    ['a signature of only the response', 'Invalid signature', { signs: 'Response' }],
    ['another name under the signature', 'Invalid signature', {}, (xml) => xml.replace('id-dave', 'id-admin')],
    ['another attribute under the signature', 'Invalid signature', {}, (xml) => xml.replace('>dave<', '>admin<')],
    ['the signature removed', 'Invalid signature', {}, (xml) => xml.replace(/<Signature.*<\/Signature>/s, '')],
    [
      'an empty signature',
      'Invalid signature',
      {},
      (xml) => xml.replace(/<SignatureValue>.*<\/SignatureValue>/s, '<SignatureValue/>'),
    ],
    ['a signature with SHA-1', 'SHA-1', { algorithm: 'rsa-sha1' }],
    [
      'a signature with SHA-1 whose name has a character reference',
      'SHA-1',
      { algorithm: 'rsa-sha1' },
      (xml) => xml.replace('rsa-sha1', 'rsa-sha&#49;').replace('xmldsig#sha1', 'xmldsig#sha&#x0000000000031;'),
    ],
    ['a digest with SHA-1', 'SHA-1', {}, (xml) => xml.replace('2001/04/xmlenc#sha256', '2000/09/xmldsig#&#115;ha1')],
    [
      'a signature with the public certificate as a shared key',
      'SHA-1',
      {},
      (xml) =>
        xml.replace('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'),
    ],
    [
      'a forged assertion before the signed one',
      'multiple assertions',
      {},
      xsw((original, forged) => forged + original),
    ],
    [
      'a forged assertion behind the signed one',
      'multiple assertions',
      {},
      xsw((original, forged) => original + forged),
    ],
    [
      'the signed assertion within a forged one',
      'Invalid signature',
      {},
      xsw((original, forged) => forged.replace('</saml:Assertion>', `${original}</saml:Assertion>`)),
    ],
    [
      'the signed assertion in an extension of the response',
      'Invalid signature',
      {},
      xsw((original, forged) => `<samlp:Extensions>${original}</samlp:Extensions>${forged}`),
    ],
    [
      'a forged assertion with the id and the signature of the signed one',
      'more than one element',
      {},
      xsw((original, forged) => {
        const signature = /<Signature.*<\/Signature>/s.exec(original)?.[0] ?? ''
        const object = `${signature.replace('</Signature>', '')}<Object>${original.replace(signature, '')}</Object></Signature>`
        return forged.replace('ID="_evil"', 'ID="_a"').replace('</saml:Issuer>', `</saml:Issuer>${object}`)
      }),
    ],
    [
      'the signed assertion in the signature of a forged one',
      'Referenced node',
      {},
      xsw((original, forged) => {
        const signature = /<Signature.*<\/Signature>/s.exec(original)?.[0] ?? ''
        const object = `${signature.replace('</Signature>', '')}<Object>${original.replace(signature, '')}</Object></Signature>`
        return forged.replace('</saml:Issuer>', `</saml:Issuer>${object}`)
      }),
    ],
    ['a comment in the name', 'comments', {}, (xml) => xml.replace('id-dave', 'id-<!-- -->dave')],
    ['a comment in an attribute', 'comments', {}, (xml) => xml.replace('>dave<', '>da<!---->ve<')],
    ['an instruction in the name', 'instructions', {}, (xml) => xml.replace('id-dave', 'id-<?x?>dave')],
    ['CDATA in the name', 'not accepted', {}, (xml) => xml.replace('id-dave', '<![CDATA[id-dave]]>')],
    ['a document type', 'document types', {}, (xml) => `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${xml}`],
    [
      'entities that grow',
      'document types',
      {},
      (xml) => `<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${xml.replace('dave', '&b;')}`,
    ],
    ['another audience', 'audience mismatch', { audience: 'https://other.example.com/saml' }],
    ['another recipient', 'not for this address', { recipient: 'https://other.example.com/saml/acs/idp/' }],
    ['the answer to another request', 'InResponseTo is not valid', { inResponseTo: `_${'0'.repeat(64)}` }],
    [
      'the answer to another request in a changed response',
      'InResponseTo does not match',
      { inResponseTo: 'other' },
      // Only the assertion is signed.
      (xml, request) => xml.replace('InResponseTo="other"', `InResponseTo="${request}"`),
    ],
    ['no request', 'InResponseTo is missing', { inResponseTo: '' }],
    ['another issuer with the same key', 'another issuer', { issuer: 'urn:example:sibling' }],
    ['an expired assertion', 'No valid subject confirmation', { notBefore: -400, notOnOrAfter: -61, issued: -400 }],
    ['an assertion that is not yet valid', 'not yet valid', { notBefore: 62 }],
    [
      'an old assertion that says that it is valid for long',
      'No valid subject confirmation',
      { issued: -700, notBefore: -700, notOnOrAfter: 86_400 },
    ],
    [
      'another way to confirm the subject',
      'not for this address',
      { method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' },
    ],
    [
      'a name that changes at each login',
      'permanent id',
      { nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
    ],
    ['no name', 'permanent id', { nameId: '' }],
    ['a name with NUL', 'cannot be used here', { nameId: 'a&#0;b' }],
    [
      'no login',
      'does not say that the person has signed in',
      { omits: /<saml:AuthnStatement.*<\/saml:AuthnStatement>/s },
    ],
    ['an assertion without conditions', 'could not be verified', { omits: /<saml:Conditions.*<\/saml:Conditions>/s }],
    [
      'a failure',
      'refused',
      {},
      (xml) => xml.replace(/<saml:Assertion.*<\/saml:Assertion>/s, '').replace('status:Success', 'status:Responder'),
    ],
    ...['Requester', 'AuthnFailed', 'VersionMismatch', '&#82;esponder', 'Success '].map(
      (status) =>
        [
          `the status ${status} and a signed assertion`,
          'refused',
          {},
          (xml: string) => xml.replace('status:Success', `status:${status}`),
        ] as const,
    ),
    ['no status, and a signed assertion', 'refused', {}, (xml) => xml.replace(/<samlp:Status>.*<\/samlp:Status>/s, '')],
    [
      'a successful status within a failure',
      'refused',
      {},
      (xml) =>
        xml.replace(
          /<samlp:StatusCode (Value="[^"]*Success")\/>/,
          '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"><samlp:StatusCode $1/></samlp:StatusCode>',
        ),
    ],
    ['deep XML', 'too many elements', {}, (xml) => xml.replace('<samlp:Status>', `${nested}<samlp:Status>`)],
    [
      'more than a response can contain',
      'too long',
      {},
      (xml) => xml.replace('<samlp:Status>', `${' '.repeat(300_000)}<samlp:Status>`),
    ],
    ['no XML', 'XML', {}, () => 'no xml'],
    ['half a document', 'could not be verified', {}, (xml) => xml.slice(0, 700)],
    ['nothing', 'could not be verified', {}, () => ''],
  ]
  it.each(attacks.map(([name, reason, parts, change]) => ({ name, reason, parts, change })))(
    'with $name',
    async ({ reason, parts, change }) => {
      const { browser, ...form } = await forge(parts, change)
      const { status } = await send(browser, form)
      expect(status).toBe(403)
      expect(browser.cookies.has('sessionid')).toBe(false)
      expect(log.audited.at(-1)).toMatchObject({
        event: 'loginFailed',
        provider: 'idp',
        reason: expect.stringContaining(reason),
      })
    },
  )

  const detours: readonly (readonly [string, (attempt: Attempt) => Partial<Attempt> | undefined])[] = [
    ['in another browser', () => ({ browser: new Browser(api.url) })],
    [
      'with a cookie forged from the id in the response',
      ({ browser, SAMLResponse }) => {
        const id = /InResponseTo="([^"]*)"/.exec(Buffer.from(SAMLResponse, 'base64').toString())?.[1] ?? ''
        const cookie = Buffer.from(JSON.stringify({ secret: id, provider: 'idp' })).toString('base64url')
        browser.cookies.set('saml_login', cookie)
        return undefined
      },
    ],
    ['at another provider with the same key', ({ callback }) => ({ callback: callback.replace('/idp/', '/sibling/') })],
  ]
  it.each(detours)('%s', async (_name, change) => {
    const attempt = await forge({})
    const { browser, ...form } = { ...attempt, ...change(attempt) }
    expect((await send(browser, form)).status).toBe(403)
    expect(browser.cookies.has('sessionid')).toBe(false)
  })

  it('without a form, or with a GET', async () => {
    const { browser, callback } = await forge({})
    expect((await browser.visit(callback, { body: { SAMLResponse: 'x' }, method: 'POST' })).status).toBe(403)
    expect((await browser.visit(callback)).status).toBe(405)
  })

  it('give no reason on the page, but in the log', async () => {
    const { browser, ...form } = await forge({ audience: 'urn:other' })
    const { text } = await send(browser, form)
    expect(text).toContain(REFUSED)
    expect(text).not.toContain('urn:other')
    expect(String(log.audited.at(-1)?.reason)).toContain('audience')
  })
})

it('doctor reports what a provider lacks', async () => {
  const idp = await startIdp(keys)
  const findings = async (more: object) => {
    const AUTH_PROVIDERS = JSON.stringify([optionsOf('idp', idp, more)])
    return (await checkProviders(readSettings({ AUTH_PROVIDERS }))).map(({ text }) => text)
  }
  expect(await findings({ label: 'Ours' })).toEqual(['Ours (idp) responds, and its certificates are valid.'])
  expect(await findings({ certificate_file: '/nowhere.pem' })).toEqual([expect.stringContaining('certificate_file')])
  expect(await findings({ sso_url: 'http://127.0.0.1:9/' })).toEqual([expect.stringContaining('does not respond')])
  await idp.close()
})

it('the cookie of a login is sent from the page of the provider to a service with TLS', async () => {
  const idp = await startIdp(keys)
  const AUTH_PROVIDERS = JSON.stringify([optionsOf('idp', idp)])
  const api = await apiOfTest({ AUTH_PROVIDERS, SESSION_COOKIE_SECURE: 'true' })
  const browser = new Browser(api.url)
  await browser.visit('/saml/login/idp/')
  expect(browser.received.find((text) => text.startsWith('saml_login='))).toMatch(/HttpOnly; Secure; SameSite=None/)
  await idp.close()
})

import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Api, type Document, startApi } from '../support/api.ts'
import { freePort } from '../support/free-port.ts'
import { LogLines } from '../support/log-lines.ts'
import { Browser, type PageAnswer } from './browser.ts'
import { type Account, CLIENT_ID, CLIENT_SECRET, startProvider, type TestProvider } from './provider.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'
const WHO = '/api/authentication-check/'

/** A service whose users sign in with a provider that has these options. */
async function startBoth(
  options: Readonly<Record<string, unknown>>,
): Promise<{ api: Api; provider: TestProvider; log: LogLines }> {
  const log = new LogLines()
  const port = await freePort()
  const provider = await startProvider([`http://127.0.0.1:${port}/oauth/complete/oidc/`])
  const settings = {
    PORT: String(port),
    AUTH_PROVIDERS: JSON.stringify([
      {
        ...{ type: 'oidc', name: 'oidc', issuer: provider.issuer, client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
        ...{ scopes: ['openid', 'profile', 'email', 'groups'], link_users: true },
        ...options,
      },
    ]),
    LOG_LEVEL: 'info',
  }
  return { api: await startApi(settings, log), provider, log }
}

/** Follows the login page to the provider; returns the URL to which it redirects the browser. */
async function visitProvider(browser: Browser, provider: TestProvider, next = '', name = 'oidc'): Promise<string> {
  const begun = await browser.visit(`/oauth/login/${name}/?next=${encodeURIComponent(next)}`)
  expect(begun.status).toBe(303)
  const guest = new Browser(provider.issuer)
  let location = begun.location
  while (location && new URL(location, provider.issuer).origin === provider.issuer) {
    location = (await guest.visit(location)).location
  }
  return location ?? ''
}

async function logIn(
  api: Api,
  provider: TestProvider,
  account: Account | undefined,
  next = '',
): Promise<{ browser: Browser; answer: PageAnswer }> {
  provider.account = account
  const browser = new Browser(api.url)
  const answer = await browser.visit(await visitProvider(browser, provider, next))
  return { browser, answer }
}

const whoIs = async (browser: Browser): Promise<Document> =>
  JSON.parse((await browser.visit(WHO, { headers: { accept: 'application/json' } })).text)

const account = (name: string, more: Readonly<Record<string, unknown>> = {}): Account => ({
  sub: `sub-${name}`,
  preferred_username: name,
  ...more,
})

describe('single sign-on', () => {
  let api: Api
  let provider: TestProvider
  let log: LogLines
  beforeAll(async () => {
    ;({ api, provider, log } = await startBoth({
      groups_claim: 'groups',
      groups: { 'net-ops': 'operators', 'net-guests': 'guests' },
      superuser_groups: ['net-admins'],
    }))
    for (const name of ['operators', 'guests', 'local']) {
      await api.ask('POST', '/api/users/groups/', { body: { name } })
    }
  })
  afterAll(async () => {
    await api.close()
    await provider.close()
  })

  const make = async (username: string): Promise<number> => {
    const body = { username, password: PASSWORD }
    return Number((await api.ask('POST', '/api/users/users/', { body })).json.id)
  }
  const groupsOf = (user: Document): readonly string[] =>
    [...(user.groups ?? [])].map(({ name }) => String(name)).sort()

  it('the login page links to the provider', async () => {
    const { text } = await new Browser(api.url).visit('/login/?next=/api/dcim/sites/')
    expect(text).toContain('href="/oauth/login/oidc/?next=%2Fapi%2Fdcim%2Fsites%2F"')
    expect(text).toContain('Log in with localhost')
  })

  it('an unknown person becomes a user, in the groups of the provider', async () => {
    const person = account('alice', {
      given_name: 'Alice',
      family_name: 'Adams',
      email: 'alice@example.com',
      groups: ['net-ops', 'accounting'],
    })
    const { browser, answer } = await logIn(api, provider, person, '/api/dcim/sites/')
    expect([answer.status, answer.location]).toEqual([303, '/api/dcim/sites/'])
    const user = await whoIs(browser)
    expect(user).toMatchObject({
      username: 'alice',
      first_name: 'Alice',
      last_name: 'Adams',
      email: 'alice@example.com',
    })
    expect(groupsOf(user)).toEqual(['operators'])
    expect(user.last_login).not.toBeNull()
    expect([...browser.cookies.keys()].sort()).toEqual(['csrftoken', 'sessionid'])
  })

  it('groups follow the provider at each login, except those that the provider does not manage', async () => {
    const id = await make('bob')
    const { json } = await api.ask('GET', '/api/users/groups/?name=local&name=guests')
    const groups = [...(json.results ?? [])].map((group) => group.id)
    await api.ask('PATCH', `/api/users/users/${id}/`, { body: { groups } })
    const first = await logIn(api, provider, account('bob', { groups: ['net-ops'] }))
    expect(groupsOf(await whoIs(first.browser))).toEqual(['local', 'operators'])
    const second = await logIn(api, provider, account('bob', { groups: [] }))
    expect(groupsOf(await whoIs(second.browser))).toEqual(['local'])
    expect((await whoIs(second.browser)).id).toBe(id)
  })

  it('users are superusers as long as the provider says so', async () => {
    const isSuperuser = async (): Promise<boolean> =>
      Number((await api.ask('GET', '/api/users/users/?is_superuser=true&username=carol')).json.count) > 0
    await logIn(api, provider, account('carol', { groups: ['net-admins'] }))
    expect(await isSuperuser()).toBe(true)
    await logIn(api, provider, account('carol', { groups: [] }))
    expect(await isSuperuser()).toBe(false)
    const { json } = await api.ask('GET', '/api/users/users/?username=carol')
    const ids = [json.results?.[0]?.id]
    const audited = log.audited.filter(({ event }) => String(event).startsWith('superuser'))
    expect(audited.slice(-2)).toMatchObject([
      { event: 'superuserGiven', ids },
      { event: 'superuserTaken', ids },
    ])
  })

  it.each([
    ['an invalid address', { email: 'no address' }, { email: '' }],
    ['an address that is too long', { email: `${'a'.repeat(250)}@example.com` }, { email: '' }],
    ['a given name that is too long', { given_name: 'g'.repeat(151) }, { first_name: '' }],
    ['a family name that is too long', { family_name: 'f'.repeat(151) }, { last_name: '' }],
    ['a family name with NUL', { family_name: 'a\0b' }, { last_name: '' }],
    [
      'several of them',
      { email: '@', given_name: 'g'.repeat(999), family_name: 'Fine' },
      { email: '', first_name: '', last_name: 'Fine' },
    ],
  ])('a person with %s signs in without it', async (name, claims, stored) => {
    const username = name.replaceAll(/\W/g, '-')
    const { browser, answer } = await logIn(api, provider, account(username, claims))
    expect(answer.status).toBe(303)
    expect(await whoIs(browser)).toMatchObject({ username, ...stored })
  })

  it('a user is identified by the subject, even after a change of name', async () => {
    const { browser } = await logIn(api, provider, account('dave'))
    const { id } = await whoIs(browser)
    const renamed = await logIn(api, provider, { sub: 'sub-dave', preferred_username: 'david' })
    expect(await whoIs(renamed.browser)).toMatchObject({ id, username: 'dave' })
  })

  // account at the provider → message on the login page
  const refusals: readonly {
    name: string
    prepare?: () => Promise<unknown>
    account: Account | undefined
    refusal: string
  }[] = [
    {
      name: 'somebody who changes their mind',
      account: undefined,
      refusal: 'The login provider refused: access_denied.',
    },
    {
      name: 'somebody without a name',
      account: { sub: 'sub-nameless' },
      refusal: 'The login provider did not send your preferred_username.',
    },
    {
      name: 'somebody with a name that cannot be one',
      account: account('no such name!'),
      refusal: 'The user name from the login provider cannot be used here.',
    },
    {
      name: 'somebody with NUL in the name',
      account: { sub: 'sub-nul', preferred_username: 'a\0b' },
      refusal: 'The user name from the login provider cannot be used here.',
    },
    {
      name: 'an inactive user',
      prepare: async () => api.ask('PATCH', `/api/users/users/${await make('erin')}/`, { body: { is_active: false } }),
      account: account('erin'),
      refusal: 'This user is inactive.',
    },
    {
      name: 'somebody with the name of a superuser',
      account: account('admin'),
      refusal: 'Your user name belongs to another account here.',
    },
    {
      name: 'somebody with the name of a superuser, in other letters',
      account: account('ADMIN', { groups: ['net-ops'] }),
      refusal: 'Your user name belongs to another account here.',
    },
    {
      name: 'somebody with the name of another person at the provider',
      prepare: () => logIn(api, provider, account('frank')),
      account: { sub: 'sub-other', preferred_username: 'frank' },
      refusal: 'Your user name belongs to another account here.',
    },
  ]
  it.each(refusals)('$name cannot sign in', async ({ prepare, account, refusal }) => {
    await prepare?.()
    const { browser, answer } = await logIn(api, provider, account)
    expect(answer.status).toBe(403)
    expect(answer.text).toContain(refusal)
    expect(browser.cookies.has('sessionid')).toBe(false)
  })
})

let api: Api
let provider: TestProvider
beforeAll(async () => {
  ;({ api, provider } = await startBoth({
    create_users: false,
    groups_claim: 'groups',
    username_claim: 'email',
  }))
  const body = { username: 'grace@example.com', password: PASSWORD }
  await api.ask('POST', '/api/users/users/', { body })
  await api.ask('POST', '/api/users/groups/', { body: { name: 'operators' } })
})
beforeEach(() => {
  provider.account = grace
})
afterAll(async () => {
  await api.close()
  await provider.close()
})
const grace = account('grace', {
  email: 'grace@example.com',
  email_verified: true,
  groups: ['operators', 'others'],
})

it('without user creation only existing users sign in, and groups are matched by name', async () => {
  const { browser } = await logIn(api, provider, grace)
  expect((await whoIs(browser)).groups).toMatchObject([{ name: 'operators' }])
  const stranger = account('heidi', { email: 'heidi@example.com', email_verified: 'true' })
  expect((await logIn(api, provider, stranger)).answer.text).toContain('There is no account for you here.')
})

it.each([false, 'false', 0, 1, null, '', 'no', undefined])(
  'an email address is not used as user name if the provider says that %j is its verification',
  async (email_verified) => {
    const { answer } = await logIn(api, provider, { ...grace, sub: `sub-liar-${email_verified}`, email_verified })
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('has verified your email')])
  },
)

describe('an ID token', () => {
  const claimsOf = (token: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const headerOf = (token: string): { alg: string; kid: string } =>
    JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
  const signed = async (token: string, header: (key: JWK) => Record<string, unknown>) => {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
    return await new SignJWT(claimsOf(token))
      .setProtectedHeader({ ...headerOf(token), ...header(await exportJWK(publicKey)) })
      .sign(privateKey)
  }
  const forgeries: Readonly<Record<string, (token: string) => string | Promise<string>>> = {
    'signed with another key': (token) => signed(token, () => ({})),
    'with its own key in the header': (token) => signed(token, (jwk) => ({ jwk })),
    'signed with an unknown key': (token) => signed(token, () => ({ kid: 'unknown' })),
    'with other claims': (token) => {
      const [head, , signature] = token.split('.')
      const claims = Buffer.from(JSON.stringify({ ...claimsOf(token), groups: ['admins'] })).toString('base64url')
      return [head, claims, signature].join('.')
    },
    'without a signature': (token) => `${token.split('.').slice(0, 2).join('.')}.`,
  }

  it.each(Object.entries(forgeries))('%s is refused', async (_name, forge) => {
    provider.forge = forge
    onTestFinished(() => {
      provider.forge = undefined
    })
    const { answer } = await logIn(api, provider, grace)
    expect([answer.status, answer.text]).toEqual([
      403,
      expect.stringContaining('The response of the login provider could not be verified.'),
    ])
  })
})

// error in the redirect from the provider → message on the login page
const detours: readonly {
  name: string
  change: (browser: Browser, address: URL) => unknown
  refusal: string
}[] = [
  {
    name: 'in another browser',
    change: ({ cookies }) => cookies.clear(),
    refusal: 'This login was not started here, or it has expired.',
  },
  {
    name: 'with a cookie that is none of ours',
    change: ({ cookies }) => cookies.set('oidc_login', 'nonsense'),
    refusal: 'This login was not started here, or it has expired.',
  },
  {
    name: 'with another state',
    change: (_browser, { searchParams }) => searchParams.set('state', 'other'),
    refusal: 'The response of the login provider could not be verified.',
  },
  {
    name: 'without a state',
    change: (_browser, { searchParams }) => searchParams.delete('state'),
    refusal: 'The response of the login provider could not be verified.',
  },
  {
    name: 'with another code',
    change: (_browser, { searchParams }) => searchParams.set('code', 'other'),
    refusal: 'The response of the login provider could not be verified.',
  },
  {
    name: 'from another issuer',
    change: (_browser, { searchParams }) => searchParams.set('iss', 'https://evil.example'),
    refusal: 'The response of the login provider could not be verified.',
  },
  {
    name: "with the code of somebody else's login",
    change: async (_browser, { searchParams }) => {
      const theirs = new URL(await visitProvider(new Browser(api.url), provider))
      searchParams.set('code', theirs.searchParams.get('code') ?? '')
    },
    refusal: 'The response of the login provider could not be verified.',
  },
  {
    name: 'with another nonce',
    change: ({ cookies }) => {
      const kept = JSON.parse(Buffer.from(cookies.get('oidc_login') ?? '', 'base64url').toString())
      const changed = JSON.stringify({ ...kept, nonce: 'other' })
      cookies.set('oidc_login', Buffer.from(changed).toString('base64url'))
    },
    refusal: 'The response of the login provider could not be verified.',
  },
]
it.each(detours)('a redirect from the provider $name starts no session', async ({ change, refusal }) => {
  const browser = new Browser(api.url)
  const address = new URL(await visitProvider(browser, provider))
  await change(browser, address)
  const { status, text } = await browser.visit(address.href)
  expect([status, text]).toEqual([403, expect.stringContaining(refusal)])
  expect(browser.cookies.has('sessionid')).toBe(false)
})

it('a redirect from the provider can be used once', async () => {
  const browser = new Browser(api.url)
  const address = await visitProvider(browser, provider)
  const pending = browser.cookies.get('oidc_login') ?? ''
  expect((await browser.visit(address)).status).toBe(303)
  const thief = new Browser(api.url)
  thief.cookies.set('oidc_login', pending)
  expect((await thief.visit(address)).status).toBe(403)
})

it('people sign in with several providers, and the response of one does not complete a login at another', async () => {
  const port = await freePort()
  const callbackOf = (name: string): string => `http://127.0.0.1:${port}/oauth/complete/${name}/`
  const first = await startProvider([callbackOf('first'), callbackOf('linking')])
  const second = await startProvider([callbackOf('second')])
  const providerOf = (name: string, { issuer }: TestProvider): object => ({
    ...{ type: 'oidc', name, issuer, client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
    ...{ groups_claim: 'groups', scopes: ['openid', 'profile', 'groups'] },
  })
  const AUTH_PROVIDERS = JSON.stringify([
    providerOf('first', first),
    providerOf('second', second),
    { ...providerOf('linking', first), link_users: true },
  ])
  const both = await startApi({ PORT: String(port), AUTH_PROVIDERS })
  try {
    const arrive = async (browser: Browser, name: string, at: TestProvider, who: Account): Promise<URL> => {
      at.account = who
      return new URL(await visitProvider(browser, at, '', name))
    }
    const browser = new Browser(both.url)
    const answer = await arrive(browser, 'second', second, account('ivan'))
    expect((await browser.visit(answer.href)).status).toBe(303)
    expect((await whoIs(browser)).username).toBe('ivan')
    // The same name at another provider may be another person.
    const impostor = new Browser(both.url)
    const taken = await impostor.visit((await arrive(impostor, 'first', first, account('ivan'))).href)
    expect([taken.status, taken.text]).toEqual([403, expect.stringContaining('belongs to another account')])
    const trusted = new Browser(both.url)
    expect((await trusted.visit((await arrive(trusted, 'linking', first, account('ivan'))).href)).status).toBe(303)
    const mixed = new Browser(both.url)
    const theirs = await arrive(mixed, 'first', first, account('judy'))
    const crossed = new URL(`/oauth/complete/second/${theirs.search}`, both.url)
    const refused = await mixed.visit(crossed.href)
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('was not started here')])
  } finally {
    await Promise.all([both.close(), first.close(), second.close()])
  }
})

describe('a person with too many groups for a token', () => {
  // Entra ID sends a link in their place; it names an interface that no longer exists.
  const overage = {
    _claim_names: { groups: 'src1' },
    _claim_sources: { src1: { endpoint: 'https://evil.example/getMemberObjects' } },
  }
  const many = ['operators', ...Array.from({ length: 10_000 }, (_, index) => `g-${index}`)]
  const json =
    (body: unknown, status = 200): TestProvider['graph'] =>
    (response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

  const log = new LogLines()
  let service: Api
  let microsoft: TestProvider
  beforeAll(async () => {
    const port = await freePort()
    const callbacks = ['entra', 'other'].map((name) => `http://127.0.0.1:${port}/oauth/complete/${name}/`)
    microsoft = await startProvider(callbacks)
    const { issuer } = microsoft
    const optionsOf = (name: string, more: object): object => ({
      ...{ type: 'oidc', name, issuer, client_id: CLIENT_ID, client_secret: CLIENT_SECRET, link_users: true },
      ...{ groups_claim: 'groups', scopes: ['openid', 'profile', 'groups'], ...more },
    })
    const AUTH_PROVIDERS = JSON.stringify([
      optionsOf('entra', { graph_url: `${issuer}/graph/` }),
      optionsOf('other', {}),
    ])
    service = await startApi({ PORT: String(port), AUTH_PROVIDERS, LOG_LEVEL: 'info' }, log)
    await service.make('users/groups', { name: 'operators' })
  })
  afterAll(() => Promise.all([service.close(), microsoft.close()]))

  const visit = async (graph: TestProvider['graph'], claims: object, name = 'entra') => {
    microsoft.account = account(`kim-${Object.keys(claims).join('-')}`, { groups: undefined, ...claims })
    microsoft.graph = graph
    const browser = new Browser(service.url)
    return { browser, answer: await browser.visit(await visitProvider(browser, microsoft, '', name)) }
  }

  it.each([
    ['a link', overage],
    ['a mark', { hasgroups: true }],
  ])('has the groups that Microsoft Graph lists, where the claims have %s', async (_name, claims) => {
    const { browser, answer } = await visit(json({ value: many }), claims)
    expect(answer.status).toBe(303)
    expect((await whoIs(browser)).groups).toMatchObject([{ name: 'operators' }])
  })

  const refused: readonly (readonly [string, TestProvider['graph'], string, provider?: string])[] = [
    ['a provider that is not of Microsoft', json({ value: many }), 'graph_url is not set', 'other'],
    ['no permission', json({ error: {} }, 403), 'answered 403'],
    ['another document', json({ value: 'operators' }), 'sent no list'],
    ['a list with something else', json({ value: ['operators', 5] }), 'sent no list'],
    ['no JSON', (response) => response.end('<html>'), 'JSON'],
    ['a list without end', json({ value: Array.from({ length: 12 }, () => many).flat() }), 'more than a list'],
    [
      'a redirect',
      (response) => response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
      'fetch failed',
    ],
    ['a connection that ends', (response) => response.destroy(), 'fetch failed'],
  ]
  it.each(refused.map(([name, graph, reason, provider]) => ({ name, graph, reason, provider })))(
    'cannot sign in with $name',
    async ({ graph, reason, provider }) => {
      const { answer } = await visit(graph, overage, provider)
      expect(answer.status).toBe(403)
      expect(answer.text).toContain('more groups than the login provider sends')
      expect(String(log.audited.at(-1)?.reason)).toContain(reason)
    },
  )
})

it('the login never redirects to another host', async () => {
  const { answer } = await logIn(api, provider, grace, 'https://evil.example/')
  expect(answer.location).toBe('/')
})

it('a target that is too long for a cookie is ignored, and the login succeeds', async () => {
  const { answer } = await logIn(api, provider, grace, `/api/dcim/sites/?q=${'x'.repeat(4_000)}`)
  expect([answer.status, answer.location]).toEqual([303, '/'])
})

it('while the provider is unreachable, the page says so, and the form still works', async () => {
  const { api: lonely, provider: gone } = await startBoth({})
  await gone.close()
  try {
    const browser = new Browser(lonely.url)
    const { status, text } = await browser.visit('/oauth/login/oidc/')
    expect([status, text]).toEqual([503, expect.stringContaining('cannot be reached')])
    expect((await browser.logIn('admin', 'admin')).status).toBe(303)
  } finally {
    await lonely.close()
  }
})

it('a provider that hangs during the exchange counts as unreachable, and no refusal is audited', async () => {
  const { api: waiting, provider: hanging, log } = await startBoth({})
  try {
    hanging.account = grace
    const browser = new Browser(waiting.url)
    const address = await visitProvider(browser, hanging)
    hanging.hangs = true
    const { status, text } = await browser.visit(address)
    expect([status, text]).toEqual([503, expect.stringContaining('cannot be reached')])
    expect(log.audited.filter(({ event }) => event === 'loginFailed')).toEqual([])
  } finally {
    await waiting.close()
    await hanging.close()
  }
}, 40_000)

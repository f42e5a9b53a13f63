import { connect, createServer, type Socket } from 'node:net'
import { Attribute, Change, Client } from 'ldapts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { checkProviders } from '../../src/cli/doctor/providers.ts'
import { Browser } from '../sessions/browser.ts'
import { type Api, apiOfTest, type Document, startApi } from '../support/api.ts'
import { LogLines } from '../support/log-lines.ts'
import { testSettings } from '../support/settings.ts'
import {
  findSlapd,
  SERVICE_DN,
  SERVICE_PASSWORD,
  SUFFIX,
  startDirectory,
  type TestDirectory,
} from '../support/slapd.ts'

const PEOPLE = `ou=people,${SUFFIX}`
const GROUPS = `ou=groups,${SUFFIX}`
const PASSWORD = 'Corr3ct-Horse-Battery'

const person = (uid: string, more = ''): string => `dn: uid=${uid},${PEOPLE}
objectClass: inetOrgPerson
uid: ${uid}
cn: ${uid}
sn: Adams
givenName: ${uid.slice(0, 1).toUpperCase()}${uid.slice(1)}
mail: ${uid}@example.com
userPassword: ${PASSWORD}
${more}`
const group = (cn: string, ...members: readonly string[]): string => `dn: cn=${cn},${GROUPS}
objectClass: groupOfNames
cn: ${cn}
${members.map((member) => `member: ${member}`).join('\n')}
`
const personDn = (uid: string): string => `uid=${uid},${PEOPLE}`
const groupDn = (cn: string): string => `cn=${cn},${GROUPS}`

const ENTRIES = [
  `dn: ${SUFFIX}\nobjectClass: dcObject\nobjectClass: organization\no: Example\ndc: example\n`,
  `dn: ${PEOPLE}\nobjectClass: organizationalUnit\nou: people\n`,
  `dn: ${GROUPS}\nobjectClass: organizationalUnit\nou: groups\n`,
  ...['alice', 'bob', 'carol', 'dave', 'erin', 'admin', 'grace', 'heidi'].map((uid) => person(uid)),
  // The uid occurs twice, so nobody can say whose password it is.
  `dn: cn=twin,${PEOPLE}\nobjectClass: inetOrgPerson\nuid: erin\ncn: twin\nsn: Twin\nuserPassword: ${PASSWORD}\n`,
  group('net-ops', personDn('alice')),
  // Nested groups with a cycle.
  group('engineers', groupDn('net-ops'), groupDn('everybody')),
  group('everybody', groupDn('engineers')),
  group('net-admins', personDn('carol')),
  `dn: cn=guests,${GROUPS}\nobjectClass: posixGroup\ncn: guests\ngidNumber: 2001\nmemberUid: heidi\n`,
].join('\n')

const program = findSlapd()

const providerOf = (directory: TestDirectory, more: object = {}): object => ({
  type: 'ldap',
  name: 'people',
  urls: [directory.url],
  bind_dn: SERVICE_DN,
  bind_password: SERVICE_PASSWORD,
  user_base: PEOPLE,
  group_base: GROUPS,
  groups: { 'net-ops': 'operators', everybody: 'staff', guests: 'guests' },
  superuser_groups: ['net-admins'],
  ...more,
})

const whoIs = async (browser: Browser): Promise<Document> =>
  JSON.parse((await browser.visit('/api/authentication-check/', { headers: { accept: 'application/json' } })).text)
const groupsOf = (user: Document): readonly string[] => [...(user.groups ?? [])].map(({ name }) => String(name)).sort()

describe.skipIf(program === undefined)('a directory', () => {
  if (!program) return
  let directory: TestDirectory
  beforeAll(async () => {
    directory = await startDirectory(program, ENTRIES)
  })
  afterAll(() => directory.close())

  const change = async (dn: string, operation: 'add' | 'delete', type: string, values: string[]): Promise<void> => {
    const client = new Client({ url: directory.url })
    await client.bind(SERVICE_DN, SERVICE_PASSWORD)
    await client.modify(dn, new Change({ operation, modification: new Attribute({ type, values }) }))
    await client.unbind()
  }

  describe('people of a directory', () => {
    let api: Api
    const log = new LogLines()
    beforeAll(async () => {
      const environment = { AUTH_PROVIDERS: JSON.stringify([providerOf(directory)]), LOG_LEVEL: 'info' }
      api = await startApi(environment, log)
      for (const name of ['operators', 'staff', 'guests', 'local']) await api.make('users/groups', { name })
    })
    afterAll(() => api.close())

    it('sign in with their password of the directory, and are in nested groups', async () => {
      const browser = new Browser(api.url)
      expect(await browser.logIn('alice', PASSWORD)).toMatchObject({ status: 303, location: '/' })
      const user = await whoIs(browser)
      expect(user).toMatchObject({
        username: 'alice',
        first_name: 'Alice',
        last_name: 'Adams',
        email: 'alice@example.com',
      })
      expect(groupsOf(user)).toEqual(['operators', 'staff'])
      expect(log.audited.at(-1)).toMatchObject({ event: 'login', user: 'alice', way: 'ldap', provider: 'people' })
    })

    it('have the groups of the directory after each login, except those that it does not manage', async () => {
      const first = new Browser(api.url)
      await first.logIn('bob', PASSWORD)
      const { id } = await whoIs(first)
      const { json } = await api.ask('GET', '/api/users/groups/?name=local&name=guests')
      const groups = [...(json.results ?? [])].map((each) => each.id)
      await api.ask('PATCH', `/api/users/users/${id}/`, { body: { groups } })
      await change(groupDn('net-ops'), 'add', 'member', [personDn('bob')])
      const second = new Browser(api.url)
      await second.logIn('bob', PASSWORD)
      expect(groupsOf(await whoIs(second))).toEqual(['local', 'operators', 'staff'])
      await change(groupDn('net-ops'), 'delete', 'member', [personDn('bob')])
      const third = new Browser(api.url)
      await third.logIn('bob', PASSWORD)
      expect(groupsOf(await whoIs(third))).toEqual(['local'])
    })

    it('are superusers as long as they are in a superuser group', async () => {
      const isSuperuser = async (): Promise<boolean> =>
        Number((await api.ask('GET', '/api/users/users/?is_superuser=true&username=carol')).json.count) > 0
      await new Browser(api.url).logIn('carol', PASSWORD)
      expect(await isSuperuser()).toBe(true)
      await change(groupDn('net-admins'), 'add', 'member', [personDn('alice')])
      await change(groupDn('net-admins'), 'delete', 'member', [personDn('carol')])
      await new Browser(api.url).logIn('carol', PASSWORD)
      expect(await isSuperuser()).toBe(false)
      await change(groupDn('net-admins'), 'add', 'member', [personDn('carol')])
      await change(groupDn('net-admins'), 'delete', 'member', [personDn('alice')])
    })

    it('get a token for a name and a password of the directory', async () => {
      const body = { username: 'dave', password: PASSWORD }
      const { status } = await api.ask('POST', '/api/users/tokens/provision/', { body, token: null })
      expect(status).toBe(201)
    })

    it('do not replace local users, who sign in only with their local password', async () => {
      const browser = new Browser(api.url)
      expect((await browser.logIn('admin', 'admin')).status).toBe(303)
    })

    // Attempt → the message that the person sees.
    const refused: readonly (readonly [string, string, string, string])[] = [
      ['a wrong password', 'alice', 'wrong', 'Invalid username/password'],
      ['an unknown name', 'mallory', PASSWORD, 'Invalid username/password'],
      ['no password, which a directory treats as an anonymous bind', 'alice', '', 'Invalid username/password'],
      ['a star for a name', '*', PASSWORD, 'Invalid username/password'],
      ['the beginning of a name and a star', 'ali*', PASSWORD, 'Invalid username/password'],
      ['a filter in the name', 'alice)(objectClass=*', PASSWORD, 'Invalid username/password'],
      ['a filter that is always true', '*)(|(objectClass=*', PASSWORD, 'Invalid username/password'],
      ['an escape sequence in the name', '\\61lice', PASSWORD, 'Invalid username/password'],
      ['the name of a mechanism', 'EXTERNAL', PASSWORD, 'Invalid username/password'],
      ['a name that two people have', 'erin', PASSWORD, 'Invalid username/password'],
      ['the name of a superuser of this service', 'admin', PASSWORD, 'Your user name belongs to another account here.'],
    ]
    it.each(refused)('%s does not sign in', async (_name, username, password, refusal) => {
      const browser = new Browser(api.url)
      const { status, text } = await browser.logIn(username, password)
      expect([status, text]).toEqual([403, expect.stringContaining(refusal)])
      expect(browser.cookies.has('sessionid')).toBe(false)
      expect(log.audited.at(-1)).toMatchObject({ event: 'loginFailed' })
    })

    it('cannot sign in if they are deactivated here', async () => {
      const browser = new Browser(api.url)
      await browser.logIn('grace', PASSWORD)
      const { id } = await whoIs(browser)
      await api.ask('PATCH', `/api/users/users/${id}/`, { body: { is_active: false } })
      const { status, text } = await new Browser(api.url).logIn('grace', PASSWORD)
      expect([status, text]).toEqual([403, expect.stringContaining('This user is inactive.')])
    })

    it('leave no password and no secret in the log', () => {
      expect(log.text).not.toContain(PASSWORD)
      expect(log.text).not.toContain(SERVICE_PASSWORD)
    })
  })

  const serve = async (more: object, log?: LogLines): Promise<Api> =>
    await apiOfTest(
      { AUTH_PROVIDERS: JSON.stringify([providerOf(directory, more)]), LOG_LEVEL: 'info', loginFailureLimit: 3 },
      log,
    )

  // Options → the status of a login with the right password.
  const connections: readonly (readonly [string, () => object, number])[] = [
    ['LDAPS', () => ({ urls: [directory.secureUrl], ca_file: directory.authority }), 303],
    ['LDAPS without its authority', () => ({ urls: [directory.secureUrl] }), 503],
    ['StartTLS', () => ({ start_tls: true, ca_file: directory.authority }), 303],
    ['StartTLS without its authority', () => ({ start_tls: true }), 503],
    ['the second server when the first is down', () => ({ urls: ['ldap://127.0.0.1:1', directory.url] }), 303],
    ['no server that is up', () => ({ urls: ['ldap://127.0.0.1:1'] }), 503],
    ['a wrong password of the service', () => ({ bind_password: 'wrong' }), 503],
    ['a direct bind', () => ({ ...WITHOUT_SERVICE, user_dn: `uid={username},${PEOPLE}`, user_base: undefined }), 303],
  ]
  const WITHOUT_SERVICE = {
    ...{ bind_dn: undefined, bind_password: undefined },
    ...{ group_base: undefined, groups: undefined, superuser_groups: [] },
  }
  it.each(connections)('is asked through %s', async (_name, options, status) => {
    const api = await serve(options())
    const browser = new Browser(api.url)
    expect((await browser.logIn('alice', PASSWORD)).status).toBe(status)
    // Its own users can always sign in.
    expect((await new Browser(api.url).logIn('admin', 'admin')).status).toBe(303)
  })

  it('gives people the groups that list them by their user name', async () => {
    const api = await serve({ group_filter: '(&(objectClass=posixGroup)(memberUid={username}))' })
    await api.make('users/groups', { name: 'guests' })
    const groupsAfterLogin = async (username: string): Promise<readonly string[]> => {
      const browser = new Browser(api.url)
      await browser.logIn(username, PASSWORD)
      return groupsOf(await whoIs(browser))
    }
    expect([await groupsAfterLogin('heidi'), await groupsAfterLogin('alice')]).toEqual([['guests'], []])
  })

  it.each([
    ['another entry', `alice,${PEOPLE}`],
    ['a second attribute', 'alice+cn=alice'],
    ['an escape', '\\61lice'],
  ])('a name with %s is one name in a direct bind', async (_name, username) => {
    const api = await serve({ ...WITHOUT_SERVICE, user_dn: `uid={username},${PEOPLE}`, user_base: undefined })
    expect((await new Browser(api.url).logIn(username, PASSWORD)).status).toBe(403)
  })

  // Options → the message of the doctor.
  const examined: readonly (readonly [string, () => object, string])[] = [
    ['works', () => ({}), 'All servers of the directory people respond.'],
    ['refuses the service', () => ({ bind_password: 'wrong' }), 'InvalidCredentialsError'],
    ['has another base', () => ({ user_base: 'ou=nowhere,dc=example,dc=com' }), 'NoSuchObjectError'],
    ['has an unknown certificate', () => ({ start_tls: true }), 'self-signed certificate'],
    ['is half down', () => ({ urls: [directory.url, 'ldap://127.0.0.1:1'] }), 'ldap://127.0.0.1:1: '],
    ['is asked with a broken filter', () => ({ user_filter: '(uid={username}' }), 'unbalanced parens'],
  ]
  it.each(examined)('doctor reports a directory that %s', async (_name, options, sentence) => {
    const findings = await checkProviders(
      testSettings({ AUTH_PROVIDERS: JSON.stringify([providerOf(directory, options())]) }),
    )
    const text = findings.map((finding) => `${finding.text}`).join(' ')
    expect(text.toLowerCase()).toContain(sentence.toLowerCase())
    expect(text).not.toContain(SERVICE_PASSWORD)
  })

  it('wrong passwords are throttled before the directory is asked again', async () => {
    const api = await serve({})
    for (const status of [403, 403, 403]) {
      expect((await new Browser(api.url).logIn('alice', 'wrong')).status).toBe(status)
    }
    expect((await new Browser(api.url).logIn('alice', PASSWORD)).status).toBe(429)
  })

  const ANY_NAME = '(|(uid={username})(mail={username})(cn={username}))'
  it.each<[string, object, readonly string[]]>([
    ['spaces', {}, [' alice', 'alice ', '\talice']],
    ['capitals', {}, ['ALICE', 'Alice', 'aLICE']],
    ['full-width and invisible characters', {}, ['ａlice', 'a\u00adlice', 'alice\u200b']],
    ['further names of the entry', { user_filter: ANY_NAME }, ['alice@example.com', 'ALICE@example.com', 'alice']],
    [
      'spaces of a direct bind',
      { ...WITHOUT_SERVICE, user_dn: `uid={username},${PEOPLE}`, user_base: undefined },
      [' alice', 'alice  ', 'ALICE'],
    ],
  ])('%s in the name are no further guesses at an account', async (_what, more, names) => {
    const api = await serve(more)
    for (const name of names) expect((await new Browser(api.url).logIn(name, 'wrong')).status).toBe(403)
    expect((await new Browser(api.url).logIn('alice', PASSWORD)).status).toBe(429)
    expect((await new Browser(api.url).logIn('bob', PASSWORD)).status).toBe(303)
  })

  it('a successful login resets the failures of all names', async () => {
    const api = await serve({ user_filter: ANY_NAME })
    for (const name of ['alice', 'alice@example.com']) await new Browser(api.url).logIn(name, 'wrong')
    expect((await new Browser(api.url).logIn(' Alice', PASSWORD)).status).toBe(303)
    for (const name of ['alice', 'alice@example.com']) await new Browser(api.url).logIn(name, 'wrong')
    expect((await new Browser(api.url).logIn('alice', PASSWORD)).status).toBe(303)
  })

  it('with a user_filter that names a group only its members sign in', async () => {
    const dn = groupDn('net-ops')
    const api = await serve({ user_filter: `(&(uid={username})(memberOf=${dn}))` })
    const statusOf = async (name: string): Promise<number> => (await new Browser(api.url).logIn(name, PASSWORD)).status
    // The directory keeps the attribute as the members of the group change.
    expect(await statusOf('bob')).toBe(403)
    await change(dn, 'add', 'member', [personDn('bob')])
    expect(await statusOf('bob')).toBe(303)
    await change(dn, 'delete', 'member', [personDn('bob')])
    expect(await statusOf('bob')).toBe(403)
  })

  it('without create_users only existing users sign in', async () => {
    const api = await serve({ create_users: false })
    const { status, text } = await new Browser(api.url).logIn('alice', PASSWORD)
    expect([status, text]).toEqual([403, expect.stringContaining('There is no account for you here.')])
  })

  it('a connection that is lost after StartTLS is never replaced by one in plain text', async () => {
    const { port } = new URL(directory.url.replace('ldap:', 'http:'))
    // Closes each connection after this number of messages from the server; records what the client sent.
    let limit = 0
    const sent: Buffer[][] = []
    const proxy = createServer((client: Socket) => {
      const own: Buffer[] = []
      sent.push(own)
      const server = connect(Number(port), '127.0.0.1')
      for (const socket of [client, server]) socket.on('error', () => undefined)
      let received = 0
      server.on('data', (bytes) => {
        received += 1
        if (received < limit) client.write(bytes)
        else client.end(bytes)
      })
      server.on('close', () => client.destroy())
      client.on('close', () => server.destroy())
      client.on('data', (bytes: Buffer) => {
        own.push(bytes)
        server.write(bytes)
      })
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void proxy.close())
    const address = proxy.address()
    const proxied = typeof address === 'object' ? address?.port : undefined
    const api = await serve({ urls: [`ldap://127.0.0.1:${proxied}`], start_tls: true, ca_file: directory.authority })
    for (const messages of [2, 4]) {
      limit = messages
      const before = sent.length
      expect((await new Browser(api.url).logIn('heidi', PASSWORD)).status).toBe(503)
      expect(sent.length - before).toBe(1)
    }
    const text = Buffer.concat(sent.flat()).toString('latin1')
    expect(text).not.toContain(PASSWORD)
    expect(text).not.toContain(SERVICE_PASSWORD)
  })
})

// Options → the sentence with which the start fails.
describe('options of a directory', () => {
  const base = { type: 'ldap', name: 'people', urls: ['ldaps://dc.example.com'], user_base: PEOPLE }
  it.each([
    ['plain text to another machine', { urls: ['ldap://dc.example.com'] }, 'would send passwords in plain text'],
    ['no place to search', { user_base: undefined }, 'needs user_base'],
    ['a bare name to bind with', { user_dn: '{username}' }, 'needs a user_dn such as'],
    ['half an account', { bind_dn: 'cn=service' }, 'needs both bind_dn and bind_password'],
    ['a mapping without groups', { groups: { a: 'b' } }, 'needs group_base'],
    ['a misspelt option', { bind_pasword: 'secret' }, 'AUTH_PROVIDERS[0].bind_pasword is not an option.'],
    ['a wrong value', { start_tls: 'secret' }, 'AUTH_PROVIDERS[0].start_tls must be true or false.'],
    ['no name', { name: undefined }, 'AUTH_PROVIDERS[0].name is missing.'],
    ['another type', { type: 'nis' }, 'AUTH_PROVIDERS[0].type must be one of'],
    ['a file of certificates that is not there', { ca_file: '/nowhere' }, 'needs a ca_file that can be read'],
  ])('prevent the start if they have %s', async (_name, options, sentence) => {
    const start = apiOfTest({ AUTH_PROVIDERS: JSON.stringify([{ ...base, ...options }]) })
    await expect(start).rejects.toThrow(sentence)
    await expect(start).rejects.not.toThrow(/secret(?!s)/)
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { LogLines } from '../support/log-lines.ts'
import { mailReceiverOfTest } from '../support/mail-receiver.ts'
import { TestClock } from '../support/test-clock.ts'

type Fields = Readonly<Record<string, unknown>>

/** A service with a notification group and a rule that sends e-mails about sites to it. */
async function scene(environment: Readonly<Record<string, string>>) {
  const clock = new TestClock()
  const log = new LogLines()
  const api = await startApi(environment, log, clock)
  onTestFinished(() => api.close())
  const create = async (path: string, body: Fields): Promise<number> => {
    const { status, text, json } = await api.ask('POST', `/api/${path}/`, { body })
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`)
    return Number(json.id)
  }
  const addUser = (username: string, more: Fields = {}) =>
    create('users/users', {
      ...{ username, password: 'Example-Passw0rd', email: `${username}@example.com` },
      ...more,
    })
  /** Lets the users view the sites that satisfy the constraint. */
  const permit = (users: readonly number[], constraints: Fields | null = null) =>
    create('users/permissions', {
      ...{ name: `view ${users.join()}`, object_types: ['dcim.site'], actions: ['view'] },
      ...{ users, constraints },
    })
  const addRule = async (members: Fields, more: Fields = {}): Promise<void> => {
    const group = await create('extras/notification-groups', { name: 'operators', ...members })
    await create('extras/event-rules', {
      name: 'tell operators',
      object_types: ['dcim.site'],
      event_types: ['object_created', 'object_updated', 'object_deleted'],
      action_type: 'email',
      action_object_type: 'extras.notificationgroup',
      action_object_id: group,
      ...more,
    })
  }
  const addSite = (name: string, more: Fields = {}) => create('dcim/sites', { name, slug: name.toLowerCase(), ...more })
  return { api, clock, log, create, addUser, permit, addRule, addSite }
}

/** The jobs that send e-mails, oldest first. */
const jobsOf = async (api: Api) =>
  (await api.ask('GET', '/api/core/jobs/?ordering=id&name__isw=E-mail')).json.results ?? []

const namesOf = (received: readonly { readonly recipients: readonly string[] }[]) =>
  received.map(({ recipients }) => recipients.join()).sort()

describe('e-mails of event rules', () => {
  it('are sent to each member who may view the object, in separate messages', async () => {
    const receiver = await mailReceiverOfTest()
    const { api, create, addUser, permit, addRule, addSite } = await scene(receiver.environment)
    const team = await create('users/groups', { name: 'team' })
    const direct = await addUser('direct', { groups: [team] })
    const byGroup = await addUser('by-group', { groups: [team] })
    const withoutAddress = await addUser('no-address', { email: '' })
    const inactive = await addUser('inactive', { is_active: false })
    const withoutRights = await addUser('no-rights')
    const elsewhere = await addUser('elsewhere')
    await addUser('no-member')
    await permit([direct, byGroup, withoutAddress, inactive])
    await permit([elsewhere], { name: 'Other' })
    await addRule({
      users: [direct, withoutAddress, inactive, withoutRights, elsewhere],
      groups: [team],
    })

    const site = await addSite('Ams1')
    await api.background.runUntilIdle()
    expect(namesOf(receiver.received)).toEqual(['by-group@example.com', 'direct@example.com'])
    for (const { subject, source, recipients } of receiver.received) {
      expect(subject).toBe('Object created: site Ams1')
      expect(source).toContain('By: admin\r\n')
      expect(source).toContain(`Link: /dcim/sites/${site}/\r\n`)
      expect(source).toContain('Event rule: tell operators\r\n')
      expect(source).toContain('From: Cadastre <cadastre@example.com>')
      expect(source).toMatch(/^Content-Type: text\/plain/m)
      const other = recipients.includes('direct@example.com') ? 'by-group' : 'direct@'
      expect(source).not.toContain(other)
    }
    expect(await jobsOf(api)).toMatchObject([{ name: 'E-mail: tell operators', status: { value: 'completed' } }])
  })

  it('name the changed fields, and are sent to those who could view a deleted object', async () => {
    const receiver = await mailReceiverOfTest()
    const { api, addUser, permit, addRule, addSite } = await scene(receiver.environment)
    const reader = await addUser('reader')
    const elsewhere = await addUser('elsewhere')
    await permit([reader], { name: 'Ams1' })
    await permit([elsewhere], { name: 'Other' })
    await addRule({ users: [reader, elsewhere] })
    const site = await addSite('Ams1')
    await api.ask('PATCH', `/api/dcim/sites/${site}/`, {
      body: { status: 'planned', description: 'two\nlines' },
    })
    await api.ask('DELETE', `/api/dcim/sites/${site}/`)
    await api.background.runUntilIdle()

    expect(namesOf(receiver.received)).toEqual(Array(3).fill('reader@example.com'))
    const updated = receiver.received.find(({ subject }) => subject.includes('updated'))
    expect(updated?.subject).toBe('Object updated: site Ams1')
    // Without the soft line breaks of the transfer encoding.
    const body = updated?.source.replaceAll('=\r\n', '').replaceAll('=E2=86=92', '→')
    expect(body).toContain('- status: active → planned\r\n')
    expect(body).toContain('- description: (empty) → two lines')
    expect(body).not.toContain('last_updated')
    const deleted = receiver.received.find(({ subject }) => subject.includes('deleted'))
    expect(deleted?.subject).toBe('Object deleted: site Ams1')
    expect(deleted?.source).not.toContain('Link:')
  })

  it('are one message for all events of a request, about those that the member may view', async () => {
    const receiver = await mailReceiverOfTest()
    const { api, clock, addUser, permit, addRule } = await scene(receiver.environment)
    const all = await addUser('all')
    const some = await addUser('some')
    const none = await addUser('none')
    await permit([all])
    await permit([some], { name__in: ['s0', 's1'] })
    await permit([none], { name: 'Other' })
    await addRule({ users: [all, some, none] })
    const sites = (count: number, more: object) =>
      Array.from({ length: count }, (_, n) => ({ name: `s${n}`, slug: `s${n}`, ...more }))
    // More than the rule engine reads at a time.
    const made = await api.ask('POST', '/api/dcim/sites/', { body: sites(1_200, {}) })
    expect(made.status).toBe(201)
    await api.background.runUntilIdle()
    expect(receiver.received).toEqual([])
    clock.advance(6_000)
    await api.background.runUntilIdle()
    const subjects = receiver.received.map(({ recipients, subject }) => [...recipients, subject])
    expect(subjects.sort()).toEqual([
      ['all@example.com', '1200 events: 1200 site created'],
      ['some@example.com', '2 events: 2 site created'],
    ])
    const [toAll, toSome] = ['all', 'some'].map((name) =>
      receiver.received.find(({ recipients }) => recipients[0]?.startsWith(`${name}@`)),
    )
    expect(toAll?.source.match(/- Object created: site s/g)).toHaveLength(50)
    expect(toAll?.source.replaceAll('=E2=80=A6', '…')).toContain('… and 1150 more.')
    expect(toSome?.source).toContain('- Object created: site s1 (/dcim/sites/')
    expect(toSome?.source).not.toContain('site s2 ')
    expect(await jobsOf(api)).toHaveLength(1)
  })

  it('share a connection', async () => {
    let connections = 0
    const receiver = await mailReceiverOfTest({
      onConnect: (_session, done) => {
        connections += 1
        done()
      },
    })
    const { api, addUser, permit, addRule, addSite } = await scene(receiver.environment)
    const users = [await addUser('one'), await addUser('two')]
    await permit(users)
    await addRule({ users })
    for (const name of ['A', 'B', 'C', 'D', 'E']) await addSite(name)
    await api.background.runUntilIdle()
    expect(receiver.received).toHaveLength(10)
    expect(connections).toBe(1)
  })

  it('show names that look like encoded words as they are', async () => {
    const receiver = await mailReceiverOfTest()
    const { api, addUser, permit, addRule, addSite } = await scene(receiver.environment)
    const users = [await addUser('reader')]
    await permit(users)
    await addRule({ users })
    await addSite('=?utf-8?q?x=0d=0aBcc:evil?=', { slug: 'encoded' })
    await api.background.runUntilIdle()
    expect(receiver.received[0]?.subject).toBe('Object created: site = ?utf-8?q?x=0d=0aBcc:evil?=')
  })

  it('are not sent for a change that is rolled back', async () => {
    const receiver = await mailReceiverOfTest()
    const { api, addUser, permit, addRule } = await scene(receiver.environment)
    const reader = await addUser('reader')
    await permit([reader])
    await addRule({ users: [reader] })
    const body = [{ name: 'Ams1', slug: 'ams1' }, { name: 'without slug' }]
    expect((await api.ask('POST', '/api/dcim/sites/', { body })).status).toBe(400)
    await api.background.runUntilIdle()
    expect(receiver.received).toEqual([])
    expect(await jobsOf(api)).toEqual([])
  })

  it('are retried for recipients whose message was not accepted', async () => {
    let refusals = 1
    const receiver = await mailReceiverOfTest({
      onRcptTo: ({ address }, _session, done) => {
        if (address.startsWith('unknown')) return done(refusal(550, 'no such user'))
        if (address.startsWith('busy') && refusals-- > 0) return done(refusal(451, 'try later'))
        done()
      },
    })
    const { api, clock, addUser, permit, addRule, addSite } = await scene(receiver.environment)
    const users = [await addUser('unknown'), await addUser('busy'), await addUser('ready')]
    await permit(users)
    await addRule({ users })
    await addSite('Ams1')
    await api.background.runUntilIdle()
    expect(namesOf(receiver.received)).toEqual(['ready@example.com'])
    expect(await jobsOf(api)).toMatchObject([
      { status: { value: 'failed' }, error: expect.stringMatching(/^The mail server refused/) },
      { status: { value: 'scheduled' } },
    ])

    clock.advance(61_000)
    await api.background.runUntilIdle()
    expect(namesOf(receiver.received)).toEqual(['busy@example.com', 'ready@example.com'])
    expect(await jobsOf(api)).toMatchObject([{ status: { value: 'failed' } }, { status: { value: 'completed' } }])
  })
})

const refusal = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode })

it('wrong credentials fail the job with a message, without the password in any log, and end the attempts after the fifth', async () => {
  const receiver = await mailReceiverOfTest({
    authOptional: false,
    // A server that repeats what it was sent.
    onAuth: ({ username, password }, _session, done) => done(refusal(535, `no user ${username} with ${password}`)),
  })
  const { api, clock, log, addUser, permit, addRule, addSite } = await scene({
    ...receiver.environment,
    ...{ EMAIL_USERNAME: 'cadastre', EMAIL_PASSWORD: 'very-secret', LOG_LEVEL: 'trace' },
  })
  const users = [await addUser('reader')]
  await permit(users)
  await addRule({ users })
  await addSite('Ams1')
  for (let attempt = 0; attempt < 7; attempt++) {
    await api.background.runUntilIdle()
    clock.advance(7_201_000)
  }
  const jobs = await jobsOf(api)
  expect(jobs.map(({ error }) => error)).toEqual(
    Array(5).fill('The mail server did not accept user name and password.'),
  )
  expect(jobs.map(({ status }) => status?.value)).toEqual(Array(5).fill('failed'))
  expect(receiver.received).toEqual([])
  const encoded = Buffer.from('\0cadastre\0very-secret').toString('base64')
  for (const text of [JSON.stringify(jobs), log.text]) {
    expect(text).not.toContain('very-secret')
    expect(text).not.toContain(encoded)
  }
})

it('an unreachable server fails the job after the first message', async () => {
  const { api, addUser, permit, addRule, addSite } = await scene({
    ...{ EMAIL_SERVER: '127.0.0.1', EMAIL_PORT: '1', EMAIL_FROM: 'cadastre@example.com' },
  })
  const users = [await addUser('one'), await addUser('two')]
  await permit(users)
  await addRule({ users })
  await addSite('Ams1')
  await api.background.runUntilIdle()
  const [job, next] = await jobsOf(api)
  expect(job).toMatchObject({
    status: { value: 'failed' },
    error: expect.stringMatching(/^The mail server cannot be used \(\w+\)\.$/),
  })
  const failures = job?.log_entries?.filter(({ level }) => String(level) === 'failure')
  expect(failures).toHaveLength(1)
  expect(next).toMatchObject({ status: { value: 'scheduled' } })
})

it.each([
  ['offers no STARTTLS', { hideSTARTTLS: true }, { EMAIL_USE_TLS: 'true' }],
  ['has a certificate of its own', { hideSTARTTLS: false }, { EMAIL_USE_TLS: 'true' }],
  ['has a certificate of its own', { secure: true }, { EMAIL_USE_SSL: 'true' }],
])('nothing is sent to a server that %s if encryption is required: %o %o', async (_, options, environment) => {
  const receiver = await mailReceiverOfTest(options)
  const { api, addUser, permit, addRule, addSite } = await scene({
    ...receiver.environment,
    ...environment,
  })
  const users = [await addUser('reader')]
  await permit(users)
  await addRule({ users })
  await addSite('Ams1')
  await api.background.runUntilIdle()
  const [job] = await jobsOf(api)
  expect(job).toMatchObject({
    status: { value: 'failed' },
    error: expect.stringMatching(/^The mail server cannot be used/),
  })
  expect(receiver.received).toEqual([])
})

const CERTIFICATES = join(import.meta.dirname, '../webhooks/certificate')
const certificate = {
  cert: readFileSync(join(CERTIFICATES, 'certificate.pem')),
  key: readFileSync(join(CERTIFICATES, 'key.pem')),
}

/** Trusts the certificate of the tests until the test ends, as NODE_EXTRA_CA_CERTS does for a whole process. */
function trustCertificate(): void {
  const before = getCACertificates()
  onTestFinished(() => setDefaultCACertificates(before))
  setDefaultCACertificates([...before, certificate.cert.toString()])
}

describe.each([
  ['STARTTLS', { hideSTARTTLS: false }, { EMAIL_USE_TLS: 'true' }],
  ['TLS from the start', { secure: true }, { EMAIL_USE_SSL: 'true' }],
])('a server that requires %s and a login', (_, options, encryption) => {
  const send = async (password: string) => {
    trustCertificate()
    const logins: { readonly user: string | undefined; readonly isEncrypted: boolean }[] = []
    const receiver = await mailReceiverOfTest({
      ...options,
      ...certificate,
      ...{ authOptional: false, allowInsecureAuth: false },
      onAuth: ({ username, password: sent }, { secure }, done) => {
        logins.push({ user: username, isEncrypted: secure })
        if (sent !== 'very-secret') return done(refusal(535, 'wrong password'))
        done(null, { user: username })
      },
    })
    const { api, addUser, permit, addRule, addSite } = await scene({
      ...receiver.environment,
      ...encryption,
      ...{ EMAIL_USERNAME: 'cadastre', EMAIL_PASSWORD: password },
    })
    const users = [await addUser('reader')]
    await permit(users)
    await addRule({ users })
    await addSite('Ams1')
    await api.background.runUntilIdle()
    const [job] = await jobsOf(api)
    return { status: job?.status?.value, logins, received: namesOf(receiver.received) }
  }

  it('gets messages over an encrypted connection, from the configured user', async () => {
    expect(await send('very-secret')).toEqual({
      status: 'completed',
      logins: [{ user: 'cadastre', isEncrypted: true }],
      received: ['reader@example.com'],
    })
  })

  it('gets no message with a wrong password', async () => {
    expect(await send('wrong')).toMatchObject({ status: 'failed', received: [] })
  })
})

it('without a mail server the rule is accepted and its jobs fail with a message', async () => {
  const { api, addUser, permit, addRule, addSite } = await scene({})
  const users = [await addUser('reader')]
  await permit(users)
  await addRule({ users })
  await addSite('Ams1')
  await api.background.runUntilIdle()
  expect(await jobsOf(api)).toMatchObject([
    {
      status: { value: 'failed' },
      error: 'No e-mail can be sent, because EMAIL_SERVER is not set.',
    },
  ])
})

it('a rule that sends e-mails to anything but a notification group is refused', async () => {
  const { create, addRule } = await scene({})
  const webhook = await create('extras/webhooks', { name: 'hook', payload_url: 'http://localhost' })
  const target = { action_object_type: 'extras.webhook', action_object_id: webhook }
  await expect(addRule({}, target)).rejects.toThrow(/400 .*The action of an e-mail rule must be a notification group\./)
})

it.each([
  [{}, 'EMAIL_SERVER needs EMAIL_FROM too.'],
  [
    { EMAIL_FROM: 'a@example.com', EMAIL_USE_TLS: 'true', EMAIL_USE_SSL: 'true' },
    'Set only one of EMAIL_USE_SSL and EMAIL_USE_TLS.',
  ],
  [
    { EMAIL_FROM: 'a@example.com', EMAIL_USERNAME: 'cadastre' },
    'Set both EMAIL_USERNAME and EMAIL_PASSWORD, or neither.',
  ],
])('settings that contradict one another prevent the start: %o', async (environment, sentence) => {
  await expect(startApi({ EMAIL_SERVER: 'mail.example.com', ...environment })).rejects.toThrow(sentence)
})

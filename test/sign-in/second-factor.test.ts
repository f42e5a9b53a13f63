import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { totpCode } from '../../src/identity/totp.ts'
import { Browser, hiddenFields, type PageAnswer } from '../sessions/browser.ts'
import { type Api, apiOfTest, startApi } from '../support/api.ts'
import { LogLines } from '../support/log-lines.ts'
import { TestClock } from '../support/test-clock.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'
const STEP = '/login/second-factor/'
const PAGE = '/user/second-factor/'

const secretIn = (page: string): string =>
  (/<code>((?:[A-Z2-7]{4} ?){8})<\/code>/.exec(page)?.[1] ?? '').replaceAll(' ', '')
const recoveryIn = (page: string): readonly string[] =>
  (/<pre class="secret">([^<]*)<\/pre>/.exec(page)?.[1] ?? '').split('\n').filter((code) => code !== '')

describe('a second factor', () => {
  let api: Api
  const log = new LogLines()
  const clock = new TestClock()
  beforeAll(async () => {
    api = await startApi({ LOG_LEVEL: 'info', loginFailureLimit: 4 }, log, clock)
  })
  afterAll(() => api.close())

  /** A code that has not been used yet; each call moves the clock forward. */
  const codeOf = (secret: string): string => {
    clock.advance(30_000)
    return totpCode(secret, Math.floor(clock.now() / 30_000))
  }
  const submit = async (
    browser: Browser,
    path: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<PageAnswer> => {
    const { text } = await browser.visit(path)
    // The last form on an account page is the one in the content.
    const token = browser.cookies.get('csrftoken') ?? ''
    return await browser.visit(path, { form: { ...hiddenFields(text), csrfmiddlewaretoken: token, ...fields } })
  }

  /** A user with a second factor, its secret and its recovery codes. */
  async function enrolled(username: string) {
    await api.make('users/users', { username, password: PASSWORD })
    const browser = new Browser(api.url)
    await browser.logIn(username, PASSWORD)
    const secret = secretIn((await submit(browser, PAGE, { action: 'begin' })).text)
    expect(secret).toHaveLength(32)
    const wrong = await submit(browser, PAGE, { action: 'confirm', code: '000000' })
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('The code is wrong.')])
    const { text } = await submit(browser, PAGE, { action: 'confirm', code: codeOf(secret) })
    const recovery = recoveryIn(text)
    expect(recovery).toHaveLength(10)
    // They can be copied, downloaded and confirmed.
    const file = decodeURIComponent(/href="data:text\/plain;charset=utf-8,([^"]*)"/.exec(text)?.[1] ?? '')
    expect(file.trim().split('\n')).toEqual(recovery)
    expect(text).toMatch(/data-copy hidden>Copy<[\s\S]*href="\/user\/second-factor\/">I have saved them</)
    return { browser, secret, recovery }
  }

  const passwordOnly = async (username: string): Promise<Browser> => {
    const browser = new Browser(api.url)
    const { status, location } = await browser.logIn(username, PASSWORD, '/dcim/sites/')
    expect([status, location]).toEqual([303, `${STEP}?next=%2Fdcim%2Fsites%2F`])
    expect(browser.cookies.has('sessionid')).toBe(false)
    return browser
  }

  it('a login by password asks for a code, which is valid once', async () => {
    const { secret } = await enrolled('alice')
    const browser = await passwordOnly('alice')
    const code = codeOf(secret)
    const { status, location } = await submit(browser, `${STEP}?next=/dcim/sites/`, { code })
    expect([status, location]).toEqual([303, '/dcim/sites/'])
    expect(browser.cookies.has('sessionid')).toBe(true)
    expect(log.audited.at(-1)).toMatchObject({ event: 'login', user: 'alice', secondFactor: 'code' })
    const thief = await passwordOnly('alice')
    const replay = await submit(thief, STEP, { code })
    expect([replay.status, replay.text]).toEqual([403, expect.stringContaining('has been used already')])
    expect(thief.cookies.has('sessionid')).toBe(false)
  })

  it('of several simultaneous logins with the same code, one succeeds', async () => {
    const { secret } = await enrolled('bob')
    const browsers = [await passwordOnly('bob'), await passwordOnly('bob'), await passwordOnly('bob')]
    const code = codeOf(secret)
    const answers = await Promise.all(browsers.map((browser) => submit(browser, STEP, { code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 403, 403])
  })

  it('a recovery code replaces a code once', async () => {
    const { recovery } = await enrolled('carol')
    const [code = ''] = recovery
    expect((await submit(await passwordOnly('carol'), STEP, { code: code.toLowerCase() })).status).toBe(303)
    expect(log.audited.at(-1)).toMatchObject({ event: 'login', secondFactor: 'recoveryCode' })
    expect((await submit(await passwordOnly('carol'), STEP, { code })).status).toBe(403)
  })

  it('wrong codes are throttled, even with right passwords in between', async () => {
    const { secret } = await enrolled('dave')
    for (let attempt = 0; attempt < 4; attempt += 1) {
      expect((await submit(await passwordOnly('dave'), STEP, { code: '000000' })).status).toBe(403)
    }
    const { status, headers } = await submit(await passwordOnly('dave'), STEP, { code: codeOf(secret) })
    expect([status, headers.has('retry-after')]).toEqual([429, true])
  })

  it.each([
    ['without a password', () => undefined],
    ['with a cookie that another program made', ({ cookies }: Browser) => cookies.set('login_step', `${forged}.x`)],
    ['with a cookie for another user', (browser: Browser) => swap(browser)],
    ['after ten minutes', () => clock.advance(601_000)],
  ])('the code alone does not sign in %s', async (name, change) => {
    const username = `user-${name.replaceAll(' ', '-')}`
    const { secret } = await enrolled(username)
    const browser = name === 'without a password' ? new Browser(api.url) : await passwordOnly(username)
    await browser.visit('/login/')
    change(browser)
    const { status, location } = await submit(browser, STEP, { code: codeOf(secret) })
    expect([status, location]).toEqual([303, expect.stringMatching(/^\/login\/\?next=/)])
    expect(browser.cookies.has('sessionid')).toBe(false)
  })
  const forged = Buffer.from(JSON.stringify({ id: 1, username: 'admin', is_superuser: true })).toString('base64url')
  const swap = (browser: Browser): void => {
    const [, signature = ''] = (browser.cookies.get('login_step') ?? '').split('.')
    browser.cookies.set('login_step', `${forged}.${signature}`)
  }

  it('a name and a password no longer provision a token', async () => {
    await enrolled('erin')
    const body = { username: 'erin', password: PASSWORD }
    const { status, text } = await api.ask('POST', '/api/users/tokens/provision/', { body, token: null })
    expect([status, text]).toEqual([403, expect.stringContaining('has a second factor')])
  })

  it('its owner can remove it only with a code', async () => {
    const { browser, secret } = await enrolled('frank')
    expect((await submit(browser, PAGE, { action: 'remove', code: '000000' })).status).toBe(400)
    const { text } = await submit(browser, PAGE, { action: 'remove', code: codeOf(secret) })
    expect(text).toContain('Set up')
    expect(log.audited.at(-1)).toMatchObject({ event: 'secondFactorRemoved', user: 'frank' })
    expect((await new Browser(api.url).logIn('frank', PASSWORD)).location).toBe('/')
  })

  it('neither secrets nor codes are in the log or in the API', async () => {
    const { secret, recovery } = await enrolled('grace')
    const { text } = await api.ask('GET', '/api/users/users/?username=grace')
    for (const value of [secret, ...recovery]) {
      expect(log.text).not.toContain(value)
      expect(text).not.toContain(value)
    }
  })
})

// Setting → who has to set one up at the next login.
it.each([
  ['none', '/', '/'],
  ['superusers', STEP, '/'],
  ['all', STEP, STEP],
])('SECOND_FACTOR_REQUIRED=%s', async (required, superuser, other) => {
  const api = await apiOfTest({ SECOND_FACTOR_REQUIRED: required })
  await api.make('users/users', { username: 'ann', password: PASSWORD })
  const leadsTo = async (name: string, password: string): Promise<string> =>
    ((await new Browser(api.url).logIn(name, password)).location ?? '').replace(/\?.*/, '')
  expect(await leadsTo('admin', 'admin')).toBe(superuser)
  expect(await leadsTo('ann', PASSWORD)).toBe(other)
  if (other === '/') return
  const browser = new Browser(api.url)
  await browser.logIn('ann', PASSWORD)
  const { text } = await browser.visit(STEP)
  const code = totpCode(secretIn(text), Math.floor(Date.now() / 30_000))
  expect((await browser.visit('/user/profile/')).status).toBe(303)
  const done = await browser.visit(STEP, { form: { ...hiddenFields(text), code } })
  expect(recoveryIn(done.text)).toHaveLength(10)
  expect((await browser.visit('/user/profile/')).status).toBe(200)
})

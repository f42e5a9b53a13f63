import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { startApiOver } from '../support/api.ts'
import { environmentOfTest } from '../support/program.ts'

const PROGRAM = join(import.meta.dirname, '../../src/cli/main.ts')
const PASSWORD = 'A-long-Passw0rd'

type Environment = Awaited<ReturnType<typeof environmentOfTest>>

/** Runs a command; `input` is its standard input. */
function run(environment: Environment, args: readonly string[], input = '') {
  const options = { env: { PATH: process.env.PATH, ...environment }, encoding: 'utf8', input } as const
  return spawnSync(process.execPath, [PROGRAM, ...args], options)
}

/** The service over the same database and secrets as the commands. */
async function served(environment: Environment) {
  const database = openPostgres({ url: environment.DATABASE_URL, poolSize: 5, statementTimeout: 0 })
  const api = await startApiOver(database, { DATA_DIR: environment.DATA_DIR })
  onTestFinished(() => api.close())
  return api
}

describe('accounts from the command line', () => {
  it('users are added, listed and given passwords', async () => {
    const environment = await environmentOfTest()
    const added = run(environment, ['user', 'create', 'ann', '--email', 'ann@example.com'])
    expect(added.status, added.stderr).toBe(0)
    const [, generated] = /shown only this once: (\S+)\n$/.exec(added.stdout) ?? []
    const other = run(environment, ['user', 'create', 'bob', '--password-stdin'], `${PASSWORD}\n`)
    expect(other.stdout).not.toContain('shown only this once')
    const listed = run(environment, ['user', 'list', '--json'])
    expect(JSON.parse(listed.stdout)).toEqual([
      { username: 'ann', email: 'ann@example.com', active: true, superuser: false, last_login: null },
      expect.objectContaining({ username: 'bob', email: '' }),
    ])
    expect(run(environment, ['user', 'list']).stdout).toMatch(/^USER +E-MAIL +STATE +LAST LOGIN\nann +ann@example\.com/)
    expect(run(environment, ['user', 'password', 'bob', '--password-stdin'], 'Another-Passw0rd').status).toBe(0)
    const api = await served(environment)
    const signIn = async (username: string, password = '') =>
      (await api.ask('POST', '/api/users/tokens/provision/', { body: { username, password }, token: null })).status
    expect(await signIn('ann', generated)).toBe(201)
    expect(await signIn('bob', PASSWORD)).toBe(403)
    expect(await signIn('bob', 'Another-Passw0rd')).toBe(201)
  })

  it('tokens are created, listed and revoked, and the change log says so', async () => {
    const environment = await environmentOfTest()
    run(environment, ['create-superuser', 'ann'])
    const made = run(environment, ['token', 'create', 'ann', '--description', 'Ansible', '--expires', '2999-01-01'])
    expect(made.status, made.stderr).toBe(0)
    const readOnly = JSON.parse(run(environment, ['token', 'create', 'ann', '--read-only', '--v1', '--json']).stdout)
    const tokens = JSON.parse(run(environment, ['token', 'list', 'ann', '--json']).stdout)
    expect(tokens).toEqual([
      expect.objectContaining({
        version: 2,
        description: 'Ansible',
        write_enabled: true,
        expires: '2999-01-01T00:00:00Z',
      }),
      expect.objectContaining({ id: readOnly.id, version: 1, write_enabled: false, user: 'ann' }),
    ])
    const revoked = run(environment, ['token', 'create', 'ann', '--json'])
    expect(run(environment, ['token', 'revoke', String(JSON.parse(revoked.stdout).id)]).status).toBe(0)
    const api = await served(environment)
    const ask = async (method: string, authorization: string, body?: unknown) =>
      (await api.ask(method, '/api/dcim/sites/', { headers: { authorization }, token: null, body })).status
    const site = { name: 'Akron', slug: 'akron' }
    expect(await ask('POST', `Bearer ${made.stdout.trim()}`, site)).toBe(201)
    expect(await ask('GET', `Token ${readOnly.token}`)).toBe(200)
    expect(await ask('POST', `Token ${readOnly.token}`, { name: 'Boston', slug: 'boston' })).toBe(403)
    expect(await ask('GET', `Bearer ${JSON.parse(revoked.stdout).token}`)).toBe(403)
  })

  it('what the rules refuse is said in sentences, and changes nothing', async () => {
    const environment = await environmentOfTest()
    const made = run(environment, ['user', 'create', 'ann'])
    expect(made.status, made.stderr).toBe(0)
    for (const [args, status, sentence, input] of [
      [['user', 'create', 'ann'], 1, /username: user with this username already exists\.\n$/],
      [['user', 'create', 'b b'], 1, /username: Enter a valid username/],
      [['user', 'create', 'bob', '--password-stdin'], 1, /password: Use at least 12 characters\./, 'short'],
      [['user', 'password', 'nobody'], 1, /There is no user "nobody"\.\n$/],
      [['token', 'create', 'nobody'], 1, /There is no user "nobody"\.\n$/],
      [['token', 'create', 'ann', '--expires', '2001-01-01'], 1, /expires: The expiry must be in the future\.\n$/],
      [['token', 'create', 'ann', '--expires', 'soon'], 2, /^Option '--expires <time>' .* Enter a date or a time/],
      [['token', 'revoke', '7'], 1, /No token matches the given query\.\n$/],
      [['token', 'revoke', 'x'], 2, /Enter the id that "token list" shows\./],
    ] as const) {
      const { status: ended, stderr } = run(environment, args, input)
      expect(stderr).toMatch(sentence)
      expect(ended).toBe(status)
    }
    expect(JSON.parse(run(environment, ['user', 'list', '--json']).stdout)).toHaveLength(1)
    expect(JSON.parse(run(environment, ['token', 'list', '--json']).stdout)).toEqual([])
  })
})

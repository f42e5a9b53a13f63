import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { environmentOfTest } from '../support/program.ts'

const SECOND_TOKEN = 'c0ffee'.padEnd(40, '0')

interface Run {
  /** The output so far. */
  output(): string
  /** Resolves when the text has been printed; rejects if the program exits before. */
  printed(text: string): Promise<void>
  /** Sends the signal, if any, and waits for the exit. */
  ended(signal?: NodeJS.Signals): Promise<number | null>
}

describe('the program', () => {
  let directory: string
  let port = 0
  let runs: Run[] = []
  // The tests of the own server share a directory, because creating the database takes longer than everything else.
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cadastre-start-'))
  })
  afterAll(() => rm(directory, { recursive: true }))
  beforeEach(async () => {
    port = await freePort()
    runs = []
  })
  afterEach(async () => {
    for (const run of runs) await run.ended('SIGKILL')
  })

  const start = (environment: Readonly<Record<string, string>> = {}, args = ['serve']): Run =>
    run(process.execPath, ['src/cli/main.ts', ...args], environment)
  const run = (program: string, args: readonly string[], environment: Readonly<Record<string, string>>): Run => {
    // npm starts the service in a shell: a signal is for all of them.
    const isGroup = program === 'npm'
    const child = spawn(program, args, {
      detached: isGroup,
      env: {
        PATH: process.env.PATH,
        DATA_DIR: directory,
        PORT: String(port),
        LOG_LEVEL: 'error',
        SHUTDOWN_DELAY: '0',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    const end = once(child, 'close')
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        text += chunk
      })
    }
    const run: Run = {
      output: () => text,
      printed: async (wanted) => {
        while (!text.includes(wanted)) {
          const isOver = await Promise.race([once(child.stdout, 'data').then(() => false), end.then(() => true)])
          if (isOver && !text.includes(wanted)) throw new Error(`It ended:\n${text}`)
        }
      },
      ended: async (signal) => {
        if (signal && child.exitCode === null && child.signalCode === null) {
          if (isGroup && child.pid !== undefined) process.kill(-child.pid, signal)
          else child.kill(signal)
        }
        await end
        return child.exitCode
      },
    }
    runs.push(run)
    return run
  }
  const url = (path: string) => `http://127.0.0.1:${port}${path}`
  const status = async (token: string) => {
    const headers = { authorization: `Token ${token}` }
    return (await fetch(url('/api/dcim/sites/'), { headers })).status
  }

  it('creates a superuser who can sign in, prints the password once, and refuses another process on the directory', async () => {
    const first = start()
    await first.printed('First request')
    const [, password = ''] = first.output().match(/only this once: (\S+)/) ?? []
    expect(first.output()).toContain(`${url('/login/')} as admin`)
    expect(first.output()).toContain(url('/api/'))
    expect(first.output()).toContain(directory)
    const answer = await fetch(url('/api/users/tokens/provision/'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    })
    expect(answer.status).toBe(201)
    const { key } = (await answer.json()) as { key: string }
    expect(await first.ended('SIGTERM')).toBe(0)

    // A second start prints no password, adds a newly configured token, and keeps the old one.
    const second = start({ SUPERUSER_API_TOKEN: SECOND_TOKEN })
    await second.printed('swagger-ui')
    expect(second.output()).not.toContain('only this once')
    expect([await status(key), await status(SECOND_TOKEN)]).toEqual([200, 200])

    // Another process refuses the directory.
    const other = start({ PORT: String(await freePort()) })
    expect(await other.ended()).toBe(1)
    expect(other.output().trim().split('\n')).toHaveLength(1)
    expect(other.output()).toContain(directory)
    expect(await second.ended('SIGTERM')).toBe(0)
  })

  it.each<[string, string, readonly string[], Readonly<Record<string, string>>]>([
    ['npm start -- --demo', 'npm', ['start', '--', '--demo'], {}],
    ['npm start --demo', 'npm', ['start', '--demo'], {}],
    ['serve --demo', process.execPath, ['src/cli/main.ts', 'serve', '--demo'], {}],
    ['DEMO=true', process.execPath, ['src/cli/main.ts', 'serve'], { DEMO: 'true' }],
    ['npm start', 'npm', ['start'], {}],
  ])('loads the sample network if it is asked for, and says so: %s', async (command, program, args, more) => {
    const service = run(program, args, {
      ...(await environmentOfTest()),
      ...{ HOME: directory, SUPERUSER_PASSWORD: 'admin', SUPERUSER_API_TOKEN: SECOND_TOKEN, ...more },
    })
    await service.printed('First request')
    const hasDemo = command !== 'npm start'
    expect(service.output().includes('Sample network loaded by --demo or DEMO')).toBe(hasDemo)
    const headers = { authorization: `Token ${SECOND_TOKEN}` }
    const devices = await (await fetch(url('/api/dcim/devices/?limit=1'), { headers })).json()
    expect(devices).toMatchObject({ count: hasDemo ? expect.toSatisfy((count) => count > 0) : 0 })
    await service.ended('SIGTERM')
    expect(service.output()).not.toContain('Error')
  })

  it('creates more superusers on demand, and reports that the password of an existing user was changed', async () => {
    const made = start({}, ['create-superuser', 'carol', '--new'])
    expect(await made.ended()).toBe(0)
    expect(made.output()).toMatch(/"carol" is a superuser\.\n.*only this once: \S{20}\n/)
    const changed = start({}, ['create-superuser', 'carol'])
    expect(await changed.ended()).toBe(0)
    expect(changed.output()).toMatch(
      /^Database: PostgreSQL in \/.*\.\n"carol" existed already: the password was changed, .*\n.*only this once: \S{20}\n$/,
    )
  })

  it('finishes requests in flight when it is stopped', async () => {
    const run = start({ ...(await environmentOfTest()), SUPERUSER_API_TOKEN: SECOND_TOKEN })
    await run.printed('swagger-ui')
    const body = Array.from({ length: 500 }, (_, n) => ({ name: `s${n}`, slug: `s${n}` }))
    const writing = fetch(url('/api/dcim/sites/'), {
      method: 'POST',
      headers: { authorization: `Token ${SECOND_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    // The response to a later request shows that the first one has arrived.
    await status(SECOND_TOKEN)
    const end = run.ended('SIGTERM')
    expect((await writing).status).toBe(201)
    expect(await end).toBe(0)
  })

  it.each([
    ['a wrong port', { PORT: 'x' }, 'PORT'],
    ['an unreachable server', { DATABASE_URL: 'postgres://127.0.0.1:1/x' }, 'DATABASE_URL'],
    ['an unknown host', { HOST: '203.0.113.1' }, 'HOST'],
  ])('%s ends it with a one-line message', async (_name, environment, word) => {
    // A generated password would be another line.
    const run = start({ ...(await environmentOfTest()), SUPERUSER_PASSWORD: 'Known-to-the-test-1', ...environment })
    expect(await run.ended()).toBe(1)
    expect(run.output()).toContain(word)
    expect(run.output().trim().split('\n')).toHaveLength(1)
  })
})

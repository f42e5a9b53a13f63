import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { load, loadAll } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { PROGRAM_VERSION } from '../../src/config/program-version.ts'
import { DECLARATIONS } from '../../src/config/settings.ts'
import { directoryOfTest } from '../support/directory.ts'

const DEPLOY = join(import.meta.dirname, '../../deploy')
const NAMES: ReadonlySet<string> = new Set(Object.values(DECLARATIONS).map(({ name }) => name))

const script = (path: string, text: string): void => {
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
}

/** An installation whose Node prints its arguments and the variables of the test. */
function installation(environment: string) {
  const directory = directoryOfTest()
  const file = (...parts: readonly string[]): string => join(directory, ...parts)
  for (const path of ['opt/deploy', 'opt/node_modules/node/bin', 'bin', 'backups'])
    mkdirSync(file(path), { recursive: true })
  for (const name of ['cadastre', 'cadastre-backup']) {
    copyFileSync(join(DEPLOY, name), file('opt/deploy', name))
    chmodSync(file('opt/deploy', name), 0o755)
  }
  script(file('opt/node_modules/node/bin/node'), 'shift; echo "arguments: $*"; env')
  symlinkSync(file('opt/deploy/cadastre'), file('bin/cadastre'))
  writeFileSync(file('environment'), environment)
  const env = { PATH: `${file('bin')}:${process.env.PATH}`, CADASTRE_ENVIRONMENT: file('environment') }
  return { directory, file, env }
}

describe('the command for administrators', () => {
  // Line of the file → the value that systemd takes from it too.
  it.each([
    ['A=plain', 'plain'],
    ['A=two words', 'two words'],
    ['A="quoted words"', 'quoted words'],
    ['A=\'{"1": "pepper"}\'', '{"1": "pepper"}'],
    ['A=[{"type": "header"}]', '[{"type": "header"}]'],
    ['A=ab#cd', 'ab#cd'],
    ['A=x=y', 'x=y'],
    ['A=$(touch made) `touch made` $HOME', '$(touch made) `touch made` $HOME'],
    ['A=a;touch made', 'a;touch made'],
    ['A=windows\r', 'windows'],
  ])('%j runs the service with %j', (line, value) => {
    const { file, env, directory } = installation(`# a comment\n; another\n\nnonsense\n${line}`)
    const output = execFileSync(file('bin/cadastre'), ['doctor', '--now'], { env, cwd: directory, encoding: 'utf8' })
    expect(output).toContain('arguments: doctor --now\n')
    expect(output.split('\n')).toContain(`A=${value}`)
    expect(output.split('\n')).toContain('DATA_DIR=/var/lib/cadastre')
    expect(existsSync(join(directory, 'made'))).toBe(false)
  })

  it('without a file, settings come from the environment', () => {
    const { file, env } = installation('')
    const output = execFileSync(file('bin/cadastre'), ['doctor'], {
      env: { ...env, CADASTRE_ENVIRONMENT: '/nowhere', DATA_DIR: '/data' },
      encoding: 'utf8',
    })
    expect(output.split('\n')).toContain('DATA_DIR=/data')
  })

  it('messages contain its name', () => {
    const data = directoryOfTest()
    writeFileSync(join(data, 'environment'), `DATA_DIR=${join(data, 'data')}\nPORT=1\n`)
    const { stdout, status } = spawnSync(join(DEPLOY, 'cadastre'), ['backup', join(data, 'b.tar.gz')], {
      env: {
        PATH: `${join(process.execPath, '..')}:${process.env.PATH}`,
        CADASTRE_ENVIRONMENT: join(data, 'environment'),
      },
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stdout).not.toContain('npm run')
  })
})

describe('the nightly backup', () => {
  const BACKUP = 'cadastre-2026-01-01T023000.tar.gz'

  function run(environment: string, cadastre: string) {
    const { file, env } = installation(environment)
    script(file('bin/systemctl'), `echo "$*" >> ${file('calls')}`)
    script(file('opt/deploy/cadastre'), cadastre)
    const backup = readFileSync(file('opt/deploy/cadastre-backup'), 'utf8')
      .replace('DIRECTORY=/var/backups/cadastre', `DIRECTORY=${file('backups')}`)
      .replace('KEEP=14', 'KEEP=2')
    script(file('opt/deploy/cadastre-backup'), backup)
    for (const year of [2023, 2024, 2025, 2026])
      writeFileSync(file('backups', BACKUP.replace('2026', String(year))), '')
    writeFileSync(file('backups/notes.txt'), '')
    const { status } = spawnSync(file('opt/deploy/cadastre-backup'), { env, encoding: 'utf8' })
    const calls = existsSync(file('calls')) ? readFileSync(file('calls'), 'utf8').trim().split('\n') : []
    return { status, calls, files: readdirSync(file('backups')).sort() }
  }
  const WORKS = 'gzip -c /dev/null > "$2"'

  it('is made beside the running service, and replaces the oldest', () => {
    const { status, calls, files } = run('PORT=8000', WORKS)
    expect([status, calls]).toEqual([0, []])
    // The newest two, and files that it did not create.
    expect(files.slice(1)).toEqual([expect.stringMatching(/^cadastre-20\d\d-/), 'notes.txt'])
    expect(files[0]).toBe(BACKUP)
  })

  it.each([
    ['that fails', 'exit 1'],
    ['that cannot be read back', 'echo damaged > "$2"'],
  ])('deletes nothing after a backup %s', (_name, cadastre) => {
    const { status, files } = run('PORT=8000', cadastre)
    expect(status).not.toBe(0)
    expect(files.filter((name) => name.endsWith('023000.tar.gz'))).toHaveLength(4)
  })
})

it('compose.yaml sets settings that exist, and its variables are in the example', () => {
  const text = readFileSync(join(DEPLOY, '../compose.yaml'), 'utf8')
  const { services } = load(text) as { services: { cadastre: { environment: Record<string, string> } } }
  expect(Object.keys(services.cadastre.environment).filter((name) => !NAMES.has(name))).toEqual([])
  const example = readFileSync(join(DEPLOY, 'compose.env'), 'utf8')
  const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name))
  expect([...used].filter((name) => name !== 'CADASTRE_IMAGE' && !example.includes(`${name}=`))).toEqual([])
})

it('the replica of compose.yaml is optional, and leaves variables to its shell', () => {
  const { services, volumes } = load(readFileSync(join(DEPLOY, '../compose.yaml'), 'utf8')) as {
    services: { replica: { profiles: string[]; entrypoint: string[]; volumes: string[] } }
    volumes: Record<string, unknown>
  }
  const { profiles, entrypoint, volumes: mounted } = services.replica
  expect(profiles).toEqual(['replica'])
  expect(mounted.map((mount) => mount.split(':')[0] ?? '').filter((name) => !Object.hasOwn(volumes, name))).toEqual([])
  // Compose replaces a variable with one $ itself.
  const script = entrypoint.at(-1) ?? ''
  expect(script.replaceAll('$$', '')).not.toContain('$')
  const { status, stderr } = spawnSync('sh', ['-n', '-c', script.replaceAll('$$', '$')], { encoding: 'utf8' })
  expect(status, stderr).toBe(0)
})

const HELM = process.env.HELM ?? 'helm'
const hasHelm = spawnSync(HELM, ['version']).status === 0

it('the chart names the image of this version, and its documents the same', () => {
  const chart = load(readFileSync(join(DEPLOY, 'chart/Chart.yaml'), 'utf8')) as { readonly appVersion: string }
  expect(chart.appVersion).toBe(PROGRAM_VERSION)
  const page = readFileSync(join(DEPLOY, '../docs/operate/install.md'), 'utf8')
  const versions = [...page.matchAll(/cadastre(?:-chart)?[-:](\d+\.\d+\.\d+)/g)].map(([, version]) => version)
  expect([...new Set(versions)]).toEqual([PROGRAM_VERSION])
})

describe.skipIf(!hasHelm)('the chart', () => {
  const CHART = join(DEPLOY, 'chart')
  interface Manifest {
    readonly kind: string
    readonly spec: Readonly<Record<string, unknown>>
  }
  function render(...values: readonly string[]) {
    const options = values.flatMap((value) => ['--set', value])
    const { status, stdout, stderr } = spawnSync(HELM, ['template', 'net', CHART, ...options], { encoding: 'utf8' })
    const manifests = loadAll(stdout).filter((each) => each !== null) as Manifest[]
    return { status, stdout, stderr, kinds: manifests.map(({ kind }) => kind).sort() }
  }

  it('is well formed', () => {
    expect(spawnSync(HELM, ['lint', '--strict', CHART], { encoding: 'utf8' }).stdout).toContain('0 chart(s) failed')
  })

  it('runs one process with its own database by default', () => {
    const { kinds, stdout } = render()
    expect(kinds).toEqual(['Deployment', 'PersistentVolumeClaim', 'Service'])
    expect(stdout).toContain('type: Recreate')
  })

  it('runs several with a database, and everything that belongs to it', () => {
    const { kinds, stdout } = render(
      ...['replicas=3', 'existingSecret=db', 'persistence.accessMode=ReadWriteMany', 'ingress.enabled=true'],
      ...['ingress.tlsSecret=tls', 'serviceMonitor.enabled=true', 'serviceMonitor.tokenSecret=token'],
      'prometheusRule.enabled=true',
      ...['settings.PAGINATE_COUNT=100', 'settings.LOGIN_REQUIRED=true'],
    )
    expect(kinds).toEqual([
      ...['Deployment', 'Ingress', 'PersistentVolumeClaim', 'PodDisruptionBudget', 'PrometheusRule', 'Service'],
      'ServiceMonitor',
    ])
    expect(stdout).toContain('maxUnavailable: 0')
    expect(stdout).toContain('expr: up{job="net"} == 0')
    expect(stdout).toMatch(/name: PAGINATE_COUNT\n\s+value: "100"/)
  })

  it.each([
    ['several processes without a database', ['replicas=2'], 'need a database'],
    ['several processes with a disk for one', ['replicas=2', 'existingSecret=db'], 'ReadWriteMany'],
    ['metrics without a token', ['serviceMonitor.enabled=true'], 'needs tokenSecret'],
    ['a misspelt value', ['replica=2'], 'replica'],
  ])('refuses %s', (_name, values, sentence) => {
    const { status, stderr } = render(...values)
    expect(status).not.toBe(0)
    expect(stderr).toContain(sentence)
  })
})

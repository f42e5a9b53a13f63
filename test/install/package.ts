import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, serving } from './machine.ts'

// Makes a release, installs its package in an empty directory, and uses it there as a new user would: the command,
// the pages, templates, the sample network, a plugin and its types. node test/install/package.ts

const checkout = process.cwd()
const directory = mkdtempSync(join(tmpdir(), 'cadastre-package-'))
try {
  await tryIn(directory)
} finally {
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
}

async function tryIn(directory: string): Promise<void> {
  const consumer = join(directory, 'consumer')
  mkdirSync(consumer)
  const machine = { directory: consumer }
  run({ directory: checkout }, 'npm', 'run', '--silent', 'release', '--', directory)
  const files = run({ directory }, 'sha256sum', '--check', 'SHA256SUMS')
  const packed = /^(cadastre-\d\S+\.tgz): OK$/m.exec(files)?.[1]
  assert.ok(packed !== undefined, files)
  const listed = (archive: string): readonly string[] => run({ directory }, 'tar', '-tzf', archive).trim().split('\n')
  const name = packed.replace(/\.tgz$/, '')
  assert.ok(listed(packed).includes('package/npm-shrinkwrap.json'), 'the package pins what it installs')
  assert.ok(listed(`${name}-source.tar.gz`).includes(`${name}/deploy/cadastre.service`), 'the source has the unit')
  assert.ok(listed(packed.replace('-', '-chart-')).includes('cadastre/Chart.yaml'), 'the chart can be installed')
  const bill = JSON.parse(readFileSync(join(directory, packed.replace(/tgz$/, 'cdx.json')), 'utf8')) as {
    readonly components: readonly { readonly name: string }[]
  }
  const components = new Set(bill.components.map(({ name }) => name))
  const isListed = ['fastify', 'jinja2', 'vitest'].map((component) => components.has(component))
  assert.deepEqual(isListed, [true, true, false], 'the bill of materials lists what people install')
  run(machine, 'npm', 'install', '--no-audit', '--no-fund', join(directory, packed))

  // Whatever Node the machine has: a newer one is installed with the package.
  const version = run(machine, 'node', 'node_modules/cadastre/bin/cadastre.mjs', '--version').trim()
  assert.equal(run(machine, 'npx', 'cadastre', '--version').trim(), version)

  const plugins = join(consumer, 'plugins')
  mkdirSync(plugins)
  copyFileSync(join(checkout, 'examples/maintenance.ts'), join(plugins, 'maintenance.ts'))
  checkTypes(consumer)

  const configured = {
    ...machine,
    environment: { PLUGINS: plugins, DATA_DIR: join(consumer, 'data') },
  }
  await serving(configured, ['npx', 'cadastre', 'serve', '--demo'], async (ask) => {
    const json = async (path: string, body?: unknown): Promise<Answer> => {
      const response = await ask(path, body ? { method: 'POST', body: JSON.stringify(body) } : {})
      assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`)
      return (await response.json()) as Answer // The API's own form.
    }
    assert.ok((await json('/api/dcim/devices/?limit=1')).count > 0, 'the sample network is there')
    assert.equal((await json('/api/plugins/maintenance/contracts/')).count, 0)
    const islands = ['/static/api-request.client.ts', '/static/topology.client.ts', '/static/pan-zoom.client.ts']
    const ofPacks = ['/dcim/topology/', '/dcim/sites/map/', '/api/plugins/prometheus-sd/devices/']
    for (const path of ['/login/', '/docs/', '/api/schema/', '/api/schema/swagger-ui/', ...islands, ...ofPacks]) {
      assert.equal((await ask(path)).status, 200, path)
    }
    const german = await ask('/login/', { headers: { 'accept-language': 'de' } })
    assert.ok((await german.text()).includes('Anmelden'), 'the translations are in the package')
    const template = { name: 'sum', template_code: '{{ 6 * 7 }}' }
    const { id } = await json('/api/extras/config-templates/', template)
    assert.equal((await json(`/api/extras/config-templates/${id}/render/`, { a: 1 })).content, '42')
    // Packs as data, and with code.
    for (const pack of ['bgp', 'contracts']) {
      const { results = [] } = await json(`/api/core/packs/?name=${pack}`)
      const body = JSON.stringify({ enabled: true })
      const switched = await ask(`/api/core/packs/${results[0]?.id}/`, { method: 'PATCH', body })
      assert.equal(switched.status, 200, `the pack ${pack} can be switched on`)
    }
    assert.equal((await json('/api/plugins/bgp/session/')).count, 0)
  })
}

/** The parts of API responses that are read. */
interface Answer {
  readonly count: number
  readonly results?: readonly { readonly id: number }[]
  readonly id: number
  readonly content: string
}

/** The types of the package suffice for a plugin. */
function checkTypes(consumer: string): void {
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2024', strict: true, noEmit: true, types: [] },
    ...{ skipLibCheck: true, allowImportingTsExtensions: true, erasableSyntaxOnly: true },
  }
  const project = join(consumer, 'tsconfig.json')
  writeFileSync(project, JSON.stringify({ compilerOptions, include: ['plugins'] }))
  run({ directory: checkout }, 'npx', 'tsc', '--project', project)
}

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { freePort } from '../support/free-port.ts'
import { run } from './machine.ts'

// Follows docs/operate/install.md from the files of a release, in namespaces: systemd, with an upgrade from the release
// before, a restore on another machine, a script, the way back and the removal; Compose; the chart. package.ts tries the
// package. Without directories, it makes a release of this checkout, and upgrades it to itself.
//   node test/install/release.ts [<directory of the release> [<directory of the one before>]]

const HELM = 'helm.sh/helm/v3/cmd/helm@v3.22.0'
const COMPOSE = 'github.com/compose-spec/compose-go/v2/cmd@v2.16.2'

/** It runs on each machine. */
const SCRIPT = `
from dcim.models import Site
from extras.scripts import Script

class CountSites(Script):
    def run(self, data, commit):
        return f"There are {Site.objects.count()} sites"
`

const checkout = process.cwd()
const directory = mkdtempSync(join(tmpdir(), 'cadastre-release-'))
try {
  const [release = join(directory, 'release'), before = release] = process.argv.slice(2).map((path) => resolve(path))
  if (process.argv[2] === undefined) run({ directory: checkout }, 'npm', 'run', '--silent', 'release', '--', release)
  run({ directory: release }, 'sha256sum', '--check', 'SHA256SUMS')
  if (spawnSync('go', ['version']).status === 0) {
    tryCompose(release)
    tryChart(release)
  } else console.log('Without Go, the Compose file and the chart are not tried.')
  if (process.getuid?.() === 0) await trySystemd(release, before)
  else console.log('Only root can try systemd.')
} finally {
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
}

/** The commands below a heading of install.md, with the version of the release in the names of files. */
function commandsOf(heading: string, release: string): string {
  const page = readFileSync(join(checkout, 'docs/operate/install.md'), 'utf8')
  const section = page
    .split(/^(?=##+ )/m)
    .find((text) => text.startsWith(`## ${heading}\n`) || text.startsWith(`### ${heading}\n`))
  const [, commands] = /```console\n(.*?)^```/ms.exec(section ?? '') ?? []
  assert.ok(commands !== undefined, `install.md has commands for ${heading}`)
  return commands.replaceAll(/(cadastre-(?:chart-)?)\d+\.\d+\.\d+/g, `$1${versionOf(release)}`)
}

/** How to move to another machine. */
function moveSteps(): string {
  const page = readFileSync(join(checkout, 'docs/operate/operations.md'), 'utf8')
  return page.split(/^(?=##+ )/m).find((text) => text.startsWith('### Move to another machine')) ?? ''
}

function versionOf(release: string): string {
  const [source] = globSync('cadastre-*-source.tar.gz', { cwd: release })
  const [, version] = /^cadastre-(.*)-source/.exec(basename(source ?? '')) ?? []
  assert.ok(version !== undefined, `${release} has the source of a release`)
  return version
}

/** The reader of the Compose specification accepts the file, and its references lead somewhere. */
function tryCompose(release: string): void {
  const version = versionOf(release)
  run({ directory }, 'tar', '-xzf', join(release, `cadastre-${version}-source.tar.gz`))
  // Variables that are mandatory; the program of the specification reads none.
  const file = join(directory, `cadastre-${version}`, 'compose.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(?<!\$)\$\{\w+:\?[^}]*\}/g, 'letters'))
  const environment = { COMPOSE_PROFILES: 'replica' }
  const machine = { directory: join(directory, `cadastre-${version}`), environment }
  const project = run(machine, 'go', 'run', COMPOSE, 'compose.yaml')
  assert.match(project, /^name: cadastre$/m)
  assert.match(project, /DATABASE_URL: postgres:\/\/cadastre:letters@postgres:5432\/cadastre/)
}

/** The documented installation, rendered. */
function tryChart(release: string): void {
  const chart = join(release, `cadastre-chart-${versionOf(release)}.tgz`)
  const [install = ''] = /^helm install (?:.*\\\n)*.*$/m.exec(commandsOf('Kubernetes', release)) ?? []
  const options = install.replaceAll('\\\n', ' ').trim().split(/\s+/).slice(4)
  const manifests = run({ directory }, 'go', 'run', HELM, 'template', 'net', chart, ...options)
  assert.match(manifests, new RegExp(`image: "?registry.example.com/cadastre:${versionOf(release)}"?$`, 'm'))
  for (const kind of ['Deployment', 'Ingress', 'PersistentVolumeClaim', 'Service'])
    assert.match(manifests, new RegExp(`^kind: ${kind}$`, 'm'))
}

/** The life of an installation: each machine is a namespace, to which only the backups and the releases are common. */
async function trySystemd(release: string, before: string): Promise<void> {
  const backups = join(directory, 'backups')
  mkdirSync(backups)
  const port = String(await freePort())
  const install = commandsOf('systemd', before).replace(
    /^install -D .*environment.*$/m,
    `$&\necho PORT=${port} >>/etc/cadastre/environment`,
  )
  const hasScript = `
    TOKEN=$(cadastre token create admin --v1)
    eventually_shows 'extras/scripts/?name=CountSites' '"count":1,'
    api POST extras/scripts/sites.CountSites/ -d '{"data": {}, "commit": true}' >/dev/null
    eventually_shows extras/scripts/sites.CountSites/ 'There are 1 sites'`
  const [created, readable] = [...moveSteps().matchAll(/`((?:install|chown) .*?)`/g)].map(([, command]) => command)
  const isVersion = (path: string) => `api GET status/ | grep -F '"cadastre":"${versionOf(path)}"'`
  const machine = (name: string, script: string) => {
    const file = join(directory, `${name}.sh`)
    const prelude = `set -euo pipefail; source ${checkout}/test/install/systemd/machine.sh; cd /tmp; set -x`
    writeFileSync(file, `${prelude}\n${script}\n`)
    run(
      { directory, environment: { BACKUPS: backups, PORT: port } },
      ...(['unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'bash', file] as const),
    )
  }
  machine(
    'first',
    `cd ${before}
    ${install}
    cd /tmp
    install -d -o cadastre -g cadastre -m 700 /var/lib/cadastre/scripts
    cat > sites.py <<'END'\n${SCRIPT}END
    install -o cadastre -g cadastre -m 600 sites.py /var/lib/cadastre/scripts/
    TOKEN=$(cadastre token create admin --v1)
    ${isVersion(before)}
    api POST dcim/sites/ -d '{"name": "Pier", "slug": "pier"}' >/dev/null
    ${hasScript}
    cd ${release}
    ${commandsOf('Upgrade', release)}
    ${isVersion(release)}
    ${hasScript}
    cadastre backup /backups/after-upgrade.tar.gz
    api POST dcim/sites/ -d '{"name": "Quay", "slug": "quay"}' >/dev/null
    ${commandsOf('Go back', before)}
    TOKEN=$(cadastre token create admin --v1)
    ${isVersion(before)}
    api GET dcim/sites/ | grep '"count":1,'
    ${commandsOf('Remove', before)}
    [[ ! -e /opt/cadastre && ! -e /var/lib/cadastre && ! -e /usr/local/bin/cadastre ]]
    ! getent passwd cadastre`,
  )
  machine(
    'second',
    `cd ${release}
    ${install.replaceAll(versionOf(before), versionOf(release)).split(/^systemctl enable/m)[0]}
    cd /tmp
    rm -f move.tar.gz && cp /backups/after-upgrade.tar.gz move.tar.gz
    chmod 600 move.tar.gz
    ${created}
    if cadastre restore /tmp/move.tar.gz 2>refusal; then exit 1; else grep 'cannot be read by the user' refusal; fi
    ${readable}
    cadastre restore /tmp/move.tar.gz
    systemctl start cadastre
    cadastre doctor
    ${hasScript}`,
  )
}

import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

// Writes the files of a release: the source, the package with the versions of all that it needs, the chart, the
// software bill of materials, the notes, and the checksums of all. CONTRIBUTING.md says how to make a release.
// npm run release -- <directory>

const root = join(import.meta.dirname, '..')
const directory = process.argv[2]
if (directory === undefined) {
  console.error('Name the directory for the files of the release.')
  process.exit(2)
}
const target = resolve(directory)
mkdirSync(target, { recursive: true })

const npm = (...words: string[]): string =>
  execFileSync('npm', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 100e6 })

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
const notes = changelog.split(/^(?=## )/m).find((section) => section.startsWith(`## ${version} `))
if (notes === undefined) {
  console.error(`CHANGELOG.md has no section for ${version}.`)
  process.exit(1)
}

const git = (...words: string[]): string => execFileSync('git', words, { cwd: root, encoding: 'utf8' })

/** Writes an archive of a tree in git, below the directory `name` within it. */
function archiveOf(tree: string, name: string, file: string): string {
  git('archive', '--format=tar.gz', `--prefix=${name}/`, `--output=${join(target, file)}`, tree)
  return file
}

/** Packs the program. Its shrinkwrap pins what npm installs with it, which would be the newest of each day otherwise. */
function packed(): string {
  const shrinkwrap = join(root, 'npm-shrinkwrap.json')
  copyFileSync(join(root, 'package-lock.json'), shrinkwrap)
  try {
    return npm('pack', '--silent', '--pack-destination', target).trim()
  } finally {
    rmSync(shrinkwrap)
  }
}

/** The files in vendor/ (vendor/README.md), which no lock file lists. */
const VENDORED = [
  ['pypi', 'jinja2', '3.1.6'],
  ['pypi', 'netaddr', '1.3.0'],
  ['pypi', 'markupsafe', '3.0.4'],
  ['pypi', 'pyyaml', '6.0.2'],
  ['npm', 'graphiql', '3.9.0'],
  ['npm', 'react', '18.3.1'],
  ['npm', 'react-dom', '18.3.1'],
] as const

/** The software bill of materials in CycloneDX: what the lock file installs for users, and what is vendored. */
function billOfMaterials(): string {
  const text = npm('sbom', '--package-lock-only', '--omit', 'dev', '--sbom-format', 'cyclonedx')
  const bill = JSON.parse(text) as { metadata: { component: { name: string } }; components: object[] }
  // npm takes the name from the directory.
  bill.metadata.component.name = 'cadastre'
  for (const [registry, name, release] of VENDORED) {
    const purl = `pkg:${registry}/${name}@${release}`
    bill.components.push({ 'bom-ref': purl, type: 'library', name, version: release, purl })
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

const archives = [
  archiveOf('HEAD', `cadastre-${version}`, `cadastre-${version}-source.tar.gz`),
  archiveOf('HEAD:deploy/chart', 'cadastre', `cadastre-chart-${version}.tgz`),
  packed(),
]
const texts = new Map([
  [`cadastre-${version}.cdx.json`, billOfMaterials()],
  [`cadastre-${version}.md`, notes],
])
for (const [name, text] of texts) writeFileSync(join(target, name), text)
const files = [...archives, ...texts.keys()]
const sums = files.map((name) => `${hash('sha256', readFileSync(join(target, name)))}  ${name}\n`)
writeFileSync(join(target, 'SHA256SUMS'), sums.join(''))
console.log(`${target}: ${files.join(', ')}, SHA256SUMS`)

import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

// Writes the files of a release: the package, its software bill of materials, the notes and their checksums.
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

const archive = npm('pack', '--silent', '--pack-destination', target).trim()
const texts = new Map([
  [`cadastre-${version}.cdx.json`, billOfMaterials()],
  [`cadastre-${version}.md`, notes],
])
for (const [name, text] of texts) writeFileSync(join(target, name), text)
const sums = [archive, ...texts.keys()].map((name) => `${hash('sha256', readFileSync(join(target, name)))}  ${name}\n`)
writeFileSync(join(target, 'SHA256SUMS'), sums.join(''))
console.log(`${target}: ${archive}, ${[...texts.keys()].join(', ')}, SHA256SUMS`)

import { join } from 'node:path'
import { commitTree, type TreeContent, writeTree } from '../test/support/git-repository.ts'

/** Directory in which the sources were when they were recorded. */
export const RECORDED_DIRECTORY = '/srv/data'
/** Address of the git server at that time. */
export const RECORDED_GIT_SERVER = 'http://127.0.0.1:8598'

/** Initial content of the local directory; the recordings show only its sizes and hashes. */
const BEGINNING: TreeContent = {
  'README.md': '# hello\n',
  'bin.dat': Uint8Array.from({ length: 256 }, (_, index) => index),
  'contexts/bad.json': '{bad',
  'contexts/dns.yaml': 'dns:\n- 8.8.8.8\nb: 2\n',
  'contexts/ntp.json': '{"name":"x","ntp":["1.1.1.1"],"a":1}',
  'empty.txt': '',
  'skip.tmp': 't',
  'templates/b.tmp': 't',
  'templates/export.j2': '{% for o in queryset %}{{ o.name }}\n{% endfor %}',
  'templates/t.j2': 'hostname {{ device.name }}\n',
  'ünï.txt': 'ü',
}

/** Changes of the local directory; undefined deletes a file. */
type TreeChange = Readonly<Record<string, string | undefined>>

/** The change before the n-th step of a scenario, by `scenario step`. */
const CHANGES: Readonly<Record<string, TreeChange>> = {
  'local/sync 9': { 'README.md': '# changed\n', 'skip.tmp': undefined, 'new.txt': 'new' },
  'local/ignore-rules 0': { 'skip.tmp': 't' },
  'sync/config-context 7': { 'contexts/ntp.json': '{"name":"y","ntp":["2.2.2.2"]}' },
  'sync/config-template-auto 9': { 'templates/t.j2': 'changed {{ device.name }}\n' },
  'sync/config-template-auto 13': { 'templates/t.j2': undefined },
  'sync/export-template 0': { 'templates/t.j2': 'hostname {{ device.name }}\n' },
}

const REPOSITORY: TreeContent = {
  'ctx.json': '{"git":true}',
  'templates/g.j2': 'git {{ device.name }}\n',
}
/** The step before which a commit was pushed to the branch `dev`. */
const PUSH = 'git/branch-and-errors 4'

/** The files from which the recorded data sources are fetched, below one directory. */
export class RecordedFiles {
  readonly directory: string
  #content = BEGINNING

  private constructor(directory: string) {
    this.directory = directory
  }

  /** Creates the local directory and the repository. */
  static async create(directory: string): Promise<RecordedFiles> {
    const files = new RecordedFiles(directory)
    await writeTree(join(directory, 'local'), BEGINNING)
    await commitTree(files.#repository, 'main', REPOSITORY)
    await commitTree(files.#repository, 'dev', REPOSITORY)
    await commitTree(files.#repository, 'main', REPOSITORY)
    return files
  }

  get #repository(): string {
    return join(this.directory, 'repo.git')
  }

  /** Makes the changes that come before a step. */
  async prepareStep(scenario: string, step: number): Promise<void> {
    const change = CHANGES[`${scenario} ${step}`]
    if (change !== undefined) {
      const content = new Map(Object.entries(this.#content))
      for (const [path, text] of Object.entries(change)) {
        if (text === undefined) content.delete(path)
        else content.set(path, text)
      }
      this.#content = Object.fromEntries(content)
      await writeTree(join(this.directory, 'local'), this.#content)
    }
    if (`${scenario} ${step}` === PUSH) {
      await commitTree(this.#repository, 'dev', { ...REPOSITORY, 'ctx.json': '{"git":"two"}' })
      await commitTree(this.#repository, 'main', REPOSITORY)
    }
  }
}

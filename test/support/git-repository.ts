import fs from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import git from 'isomorphic-git'

/** Content by path. */
export type TreeContent = Readonly<Record<string, string | Uint8Array>>

const author = { name: 'Tester', email: 'tester@example.com' }

/** Writes the files into a directory and deletes everything else in it, except names that begin with a dot. */
export async function writeTree(directory: string, files: TreeContent): Promise<void> {
  await mkdir(directory, { recursive: true })
  for (const name of await fs.promises.readdir(directory)) {
    if (!name.startsWith('.')) await rm(join(directory, name), { recursive: true })
  }
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), content)
  }
}

/** Makes a commit with exactly these files on a branch, which is created if it does not exist. */
export async function commitTree(dir: string, branch: string, files: TreeContent): Promise<string> {
  await mkdir(dir, { recursive: true })
  if (!fs.existsSync(join(dir, '.git'))) await git.init({ fs, dir, defaultBranch: branch })
  const current = await git.currentBranch({ fs, dir })
  if (current !== branch) {
    const branches = await git.listBranches({ fs, dir })
    if (!branches.includes(branch)) await git.branch({ fs, dir, ref: branch })
    await git.checkout({ fs, dir, ref: branch, force: true })
  }
  await writeTree(dir, files)
  for (const path of await git.listFiles({ fs, dir })) {
    if (!(path in files)) await git.remove({ fs, dir, filepath: path })
  }
  for (const path of Object.keys(files)) await git.add({ fs, dir, filepath: path })
  return await git.commit({ fs, dir, message: 'A commit', author })
}

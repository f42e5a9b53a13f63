import { readFile } from 'node:fs/promises'

/** Text of a file in Python. Editors of Windows write a byte order mark at its start, which Python does not compile. */
export const pythonText = async (path: string): Promise<string> => (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'

/** OpenLDAP's server, and the directory of its files. */
interface Program {
  /** Empty if it is installed; otherwise the directory in which its packages were unpacked. */
  readonly root: string
  readonly libraries: string | undefined
}

const PACKAGES = ['slapd', 'libldap-2.5-0', 'libltdl7', 'libodbc2', 'libsasl2-2', 'libwrap0', 'libargon2-1']

/** slapd of the system, or else Debian's, unpacked without installing it; undefined if it is not available. */
export function findSlapd(): Program | undefined {
  if (existsSync('/usr/sbin/slapd')) return { root: '', libraries: undefined }
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-slapd-program-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  if (spawnSync('apt-get', ['download', ...PACKAGES], { cwd: directory }).status !== 0) return undefined
  const root = join(directory, 'root')
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.deb'))) {
    execFileSync('dpkg', ['-x', join(directory, file), root])
  }
  const [triplet = ''] = readdirSync(join(root, 'usr/lib')).filter((name) => name.includes('-'))
  return { root, libraries: join(root, 'usr/lib', triplet) }
}

/** A running LDAP server with the entries of an LDIF text. */
export interface TestDirectory {
  /** ldap://127.0.0.1:… */
  readonly url: string
  /** ldaps://localhost:… */
  readonly secureUrl: string
  /** Certificate of the authority that signed the server's. */
  readonly authority: string
  close(): Promise<void>
}

export const SUFFIX = 'dc=example,dc=com'
export const SERVICE_DN = `cn=service,${SUFFIX}`
export const SERVICE_PASSWORD = 'the-password-of-the-service'

/** Starts a server with these entries; only the service's account may read them. */
export async function startDirectory({ root, libraries }: Program, ldif: string): Promise<TestDirectory> {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-slapd-'))
  const file = (name: string): string => join(directory, name)
  mkdirSync(file('data'))
  makeCertificate(directory)
  const schemas = ['core', 'cosine', 'inetorgperson', 'nis'].map(
    (name) => `include ${root}/etc/ldap/schema/${name}.schema`,
  )
  const configuration = [
    ...schemas,
    ...[`modulepath ${root}/usr/lib/ldap`, 'moduleload back_mdb', 'moduleload memberof'],
    ...[`TLSCACertificateFile ${file('cert.pem')}`, `TLSCertificateFile ${file('cert.pem')}`],
    `TLSCertificateKeyFile ${file('key.pem')}`,
    ...['database mdb', `suffix "${SUFFIX}"`, `directory ${file('data')}`],
    ...[`rootdn "${SERVICE_DN}"`, `rootpw ${SERVICE_PASSWORD}`],
    // Everybody may sign in; only the service's account may read the entries.
    'access to attrs=userPassword by anonymous auth by * none',
    'access to * by self read by anonymous auth by * none',
    'overlay memberof',
    '',
  ]
  writeFileSync(file('slapd.conf'), configuration.join('\n'))
  writeFileSync(file('entries.ldif'), ldif)
  const env = { ...process.env, ...(libraries !== undefined && { LD_LIBRARY_PATH: libraries }) }
  const program = `${root}/usr/sbin/slapd`
  execFileSync(program, ['-T', 'add', '-f', file('slapd.conf'), '-l', file('entries.ldif')], { env })
  const [port, securePort] = [await freePort(), await freePort()]
  const urls = `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${securePort}`
  // With -d the server stays in the foreground.
  const server = spawn(program, ['-d', '0', '-h', urls, '-f', file('slapd.conf')], { env, stdio: 'ignore' })
  const ended = once(server, 'exit')
  await eventually(async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.destroy()
  })
  return {
    url: `ldap://127.0.0.1:${port}`,
    secureUrl: `ldaps://localhost:${securePort}`,
    authority: file('cert.pem'),
    close: async () => {
      server.kill()
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** A certificate for localhost and 127.0.0.1 that is its own authority. */
function makeCertificate(cwd: string): void {
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1'
  const options = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const files = ['-keyout', 'key.pem', '-out', 'cert.pem', '-subj', '/CN=localhost', '-addext', names]
  execFileSync('openssl', [...options, ...files], { cwd, stdio: 'ignore' })
}

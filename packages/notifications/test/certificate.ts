import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Certificate {
  /** PEM, and its own signer. */
  readonly cert: string
  readonly key: string
}

/** Self-signed, for the names and for the loopback addresses. */
export function makeCertificate(...names: readonly string[]): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'digger-certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const others = ['localhost', ...names].map((name) => `DNS:${name}`)
  const alternatives = [...others, 'IP:127.0.0.1', 'IP:::1'].join(',')
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const subject = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${alternatives}`]
  try {
    execFileSync(
      'openssl',
      ['req', '-x509', ...curve, '-nodes', '-keyout', key, '-out', cert, '-days', '2', ...subject],
      {
        stdio: 'ignore',
      },
    )
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

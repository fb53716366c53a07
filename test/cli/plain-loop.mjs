/**
 * The floor of `wary expressions`: reads lines, parses each as a URL, hashes the expressions that simple splitting makes of it, prints nothing. On
 * addresses without escapes these are the same expressions.
 */
import { createInterface } from 'node:readline'
import { sha256 } from '@noble/hashes/sha2.js'

const encoder = new TextEncoder()
let hashes = 0
for await (const line of createInterface({ input: process.stdin })) {
  const { hostname, pathname, search } = new URL(line)
  const labels = hostname.split('.')
  const hosts = new Set([hostname])
  for (let i = Math.max(0, labels.length - 5); i < labels.length - 1; i++) hosts.add(labels.slice(i).join('.'))
  const paths = new Set(search === '' ? [pathname] : [pathname + search, pathname])
  const segments = pathname.split('/')
  for (let i = 1; i < Math.min(segments.length, 5); i++) paths.add(`${segments.slice(0, i).join('/')}/`)
  for (const host of hosts) for (const path of paths) hashes += sha256(encoder.encode(host + path)).length / 32
}
process.stderr.write(`${hashes}\n`)

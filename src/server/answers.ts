import { PROTOBUF_TYPE } from '../protocol/download.ts'

type Headers = Readonly<Record<string, string>>

/** Every answer is whole in memory, so its length is said: clients show progress by it. */
export function bytesAnswer(bytes: Uint8Array, headers: Headers, status = 200): Response {
  return new Response(new Uint8Array(bytes), { status, headers: { 'content-length': String(bytes.length), ...headers } })
}

export function protobufAnswer(bytes: Uint8Array, headers: Headers): Response {
  return bytesAnswer(bytes, { 'content-type': PROTOBUF_TYPE, ...headers })
}

export const JSON_TYPE = 'application/json; charset=utf-8'

export function jsonBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}

export function jsonAnswer(value: unknown, headers: Headers, status = 200): Response {
  return bytesAnswer(jsonBytes(value), { 'content-type': JSON_TYPE, ...headers }, status)
}

/** A page of this server. `title` and `body` are markup of ours, never text from a request. */
export function pageAnswer(title: string, body: string): Response {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
</head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`
  return bytesAnswer(new TextEncoder().encode(html), { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
}

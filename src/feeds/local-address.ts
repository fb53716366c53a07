/** Blocks of IPv4 addresses that mean another computer for everybody, or none: first address and prefix length (RFC 6890, RFC 5771). */
const LOCAL_BLOCKS: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
]

/** Unspecified and loopback (all of 0::/16), unique local fc00::/7, link-local and site-local fe80::/9, multicast ff00::/8. */
const LOCAL_IPV6 = /^\[(::|0:|f[cdf][0-9a-f]{2}:|fe[89a-f][0-9a-f]:)/

function ipv4Number(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0)
}

/** Whether a canonical IP address (IPv6 in brackets) is one of this device or of a private network. */
export function isLocalAddress(host: string): boolean {
  if (host.startsWith('[')) return LOCAL_IPV6.test(host)
  const number = ipv4Number(host)
  return LOCAL_BLOCKS.some(([first, length]) => {
    const size = 2 ** (32 - length)
    return Math.floor(number / size) === Math.floor(ipv4Number(first) / size)
  })
}

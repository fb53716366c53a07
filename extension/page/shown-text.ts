/** `text` itself, or its beginning and end around an ellipsis, `most` UTF-16 units in all. Splits no pair of them. */
export function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text
  const tail = Math.floor((most - 1) / 3)
  let head = text.slice(0, most - 1 - tail)
  let end = text.slice(text.length - tail)
  if (/[\ud800-\udbff]$/.test(head)) head = head.slice(0, -1)
  if (/^[\udc00-\udfff]/.test(end)) end = end.slice(1)
  return `${head}…${end}`
}

/** Control characters, and those that are invisible, turn the direction of text or look like a space (Unicode's own properties). */
const UNSEEN = /(?! )[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * `text` with characters that would deceive or hide written out, as `\u{202e}`.
 *
 * @param most how much of it will be shown: the middle of a long text is left out before anything else looks at it
 */
export function visible(text: string, most = Number.POSITIVE_INFINITY): string {
  const short = text.length > most * 3 ? cutMiddle(text, most * 3) : text
  return short.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** Text from outside as people may see it: nothing hidden or turned around in it, and at most `most` UTF-16 units long. */
export function shown(text: string, most: number): string {
  return cutMiddle(visible(text, most), most)
}

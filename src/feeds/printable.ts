/** Controls (C0, DEL, C1), line separators, and what is invisible or turns the direction of writing: nothing a terminal should be sent. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** `text` without anything that could steer the terminal of who reads it: such characters and lone surrogates become U+FFFD. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, '\ufffd').toWellFormed()
}

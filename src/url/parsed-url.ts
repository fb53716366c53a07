/**
 * What the URL parser makes of `text`; undefined where it refuses it. Not by `URL.canParse`: that of Node 20 says no to many good addresses with letters
 * such as "Ö" once it has been called often.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

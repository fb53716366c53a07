/**
 * What the build was made for (`WARY_SERVER`, `WARY_ROOT_KEY`, `WARY_LISTS` in the environment of `npm run build`);
 * empty strings in a build for nobody in particular.
 */
export const BUILD_SETTINGS = {
  server: String(import.meta.env.WARY_SERVER ?? ''),
  rootKey: String(import.meta.env.WARY_ROOT_KEY ?? ''),
  lists: String(import.meta.env.WARY_LISTS ?? ''),
}

/** Names of the lists that the build carries (`npm run build -- --seed FILE`). */
export const SEED_LISTS: readonly string[] = String(import.meta.env.WARY_SEED_LISTS ?? '')
  .split(',')
  .filter((name) => name !== '')

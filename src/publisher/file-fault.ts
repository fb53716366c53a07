/** The system's code of a failed file operation or system call, such as `ENOENT`; undefined for any other error. */
export function fileFault(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** HTTP status and google.rpc.Code of what this server refuses. */
const REFUSALS = {
  INVALID_ARGUMENT: { code: 400, status: 'INVALID_ARGUMENT' },
  NOT_FOUND: { code: 404, status: 'NOT_FOUND' },
  METHOD_NOT_ALLOWED: { code: 405, status: 'UNIMPLEMENTED' },
  URL_TOO_LONG: { code: 414, status: 'INVALID_ARGUMENT' },
  INTERNAL: { code: 500, status: 'INTERNAL' },
  UNAVAILABLE: { code: 503, status: 'UNAVAILABLE' },
} as const

export type Refusal = keyof typeof REFUSALS

/** An answer in Google's JSON error form: {"error":{"code":400,"message":"...","status":"INVALID_ARGUMENT"}}. */
export class ApiError extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal, message: string) {
    super(message)
    this.refusal = refusal
  }

  /** HTTP status. */
  get code(): number {
    return REFUSALS[this.refusal].code
  }

  toJson(): { readonly error: { readonly code: number; readonly message: string; readonly status: string } } {
    const { code, status } = REFUSALS[this.refusal]
    return { error: { code, message: this.message, status } }
  }
}

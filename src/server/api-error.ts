/** Names of google.rpc.Code that this server uses, with their HTTP status. */
const STATUS = { INVALID_ARGUMENT: 400, NOT_FOUND: 404, UNAVAILABLE: 503, INTERNAL: 500 } as const

/** An answer in Google's JSON error form: {"error":{"code":400,"message":"...","status":"INVALID_ARGUMENT"}}. */
export class ApiError extends Error {
  readonly status: keyof typeof STATUS

  constructor(status: keyof typeof STATUS, message: string) {
    super(message)
    this.status = status
  }

  get code(): (typeof STATUS)[keyof typeof STATUS] {
    return STATUS[this.status]
  }

  toJson(): { error: { code: number; message: string; status: string } } {
    return { error: { code: this.code, message: this.message, status: this.status } }
  }
}

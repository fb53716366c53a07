import type { UpdateRequest } from '../../src/update/updater.ts'

/** Who sees to updates: by an alarm, or by borrowing what another worker updates. */
export interface UpdateRunner {
  /** Updates what the schedule allows. Never rejects: what failed is in the sources' status. @param only one source */
  run(request?: UpdateRequest, only?: string): Promise<void>
  /** Makes sure that the next update will come. */
  keep(): Promise<void>
}

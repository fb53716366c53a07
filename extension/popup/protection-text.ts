import type { Protection } from '../messaging/messages.ts'
import type { Formatting } from '../page/formatting.ts'
import type { MessageKey, Wording } from '../page/wording.ts'

/** How the state is to look: never by colour alone, the sentence says the same. */
export type Tone = 'good' | 'caution' | 'danger' | 'neutral'

export interface ProtectionText {
  readonly tone: Tone
  readonly sentence: string
  readonly detail: string
}

interface Words {
  readonly tone: Tone
  readonly sentence: MessageKey
  readonly detail: MessageKey
}

function words(protection: Protection): Words {
  switch (protection.state) {
    case 'protected':
      return { tone: 'good', sentence: 'protectionProtected', detail: 'protectionProtectedDetail' }
    case 'stale':
      return {
        tone: 'caution',
        sentence: 'protectionStale',
        detail: protection.clockSkewMs === undefined ? 'protectionStaleDetail' : 'protectionStaleClock',
      }
    case 'starting':
      return { tone: 'neutral', sentence: 'protectionStarting', detail: 'protectionStartingDetail' }
    case 'damaged':
      return { tone: 'danger', sentence: 'protectionDamaged', detail: 'protectionDamagedDetail' }
    case 'off':
      return protection.reason === 'no-permission'
        ? { tone: 'danger', sentence: 'protectionNoPermission', detail: 'protectionNoPermissionDetail' }
        : { tone: 'danger', sentence: 'protectionNotConfigured', detail: 'protectionNotConfiguredDetail' }
  }
}

/** The one sentence of state, and what it means. `undefined`: the background does not answer. `now` in milliseconds since 1970. */
export function protectionText(
  protection: Protection | undefined,
  { wording, formatting, now }: { readonly wording: Wording; readonly formatting: Formatting; readonly now: number },
): ProtectionText {
  if (protection === undefined) {
    return { tone: 'danger', sentence: wording.text('protectionUnknown'), detail: wording.text('protectionUnknownDetail') }
  }
  const { tone, sentence, detail } = words(protection)
  const values =
    protection.state !== 'stale'
      ? []
      : protection.clockSkewMs === undefined
        ? [formatting.age(protection.since, now)]
        : [formatting.moment(now + protection.clockSkewMs)]
  return { tone, sentence: wording.text(sentence), detail: wording.text(detail, ...values) }
}

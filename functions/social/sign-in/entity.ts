import type { Anew } from './anew.ts';
import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/**
 * Somebody who is at a provider: from the redirect there to the answer. Its id is the hash of the `state` that travels, and
 * it is used once.
 */
const SocialSignInEntity = entity({
  model: model('social-sign-in'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    provider: { type: 'string', required: true },
    /** `targetOf` the client that it was begun with. */
    target: { type: 'string', required: true },
    /** SHA-256 of the cookie of the browser that was sent. */
    browserHash: { type: 'string', required: true },
    /** {@link SignInSecrets}, sealed under the state. */
    sealed: { type: 'any', required: true },
  },
  indexes: { primary: recordKey('social-sign-in') },
});

export type SocialSignInRecord = RecordOf<typeof SocialSignInEntity>;
export const socialSignIns = collection(SocialSignInEntity);

/** What a sign-in keeps sealed. */
export interface SignInSecrets {
  /** The sign-in at the service that it belongs to. */
  flowId: string;
  verifier: string;
  nonce: string;
  /** What was asked for. */
  scopes: readonly string[];
  /** Where the person has to prove anew who they are. `sentAt` in milliseconds since the epoch. */
  anew?: (Anew & { sentAt: number }) | undefined;
}

import type { Reauthentication } from './reauthentication.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../../kernel/storage/record.ts';

/**
 * A sign-in in progress at a provider, from the redirect to the response. Its id is the hash of `state`, and it is used
 * once.
 */
const SocialSignInEntity = entity({
  model: model('social-sign-in'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    provider: { type: 'string', required: true },
    /** The result of `readTarget` for the client that started this sign-in. */
    target: { type: 'string', required: true },
    /** SHA-256 of the cookie of the browser that was redirected. */
    browserHash: { type: 'string', required: true },
    /** {@link SignInSecrets}, encrypted under the state. */
    sealed: { type: 'any', required: true },
  },
  indexes: { primary: recordKey('social-sign-in') },
});

export type SocialSignInRecord = RecordOf<typeof SocialSignInEntity>;
export const socialSignIns = collection(SocialSignInEntity, 'internal');

/** The encrypted part of a sign-in. */
export interface SignInSecrets {
  /** The sign-in flow of the service to which it belongs. */
  flowId: string;
  verifier: string;
  nonce: string;
  /** The scopes that were requested. */
  scopes: readonly string[];
  /** Present if the user has to authenticate again. `sentAt` in milliseconds since the epoch. */
  // eslint-disable-next-line words/names -- the name in stored sign-ins
  anew?: (Reauthentication & { sentAt: number }) | undefined;
}

import { declareError, notFound } from '../../../kernel/errors.ts';
import { MOST_PASSKEYS } from './entity.ts';

export const passkeyNotFound = notFound('passkey');

export const tooManyPasskeys = declareError({
  status: 422,
  code: 'too_many_passkeys',
  message: `A user has at most ${MOST_PASSKEYS} passkeys. Delete one that is no longer used.`,
});

export const credentialTaken = declareError({
  status: 409,
  code: 'passkey_already_exists',
  message: 'The environment already has a passkey with this credential id. Delete it before you import it again.',
});

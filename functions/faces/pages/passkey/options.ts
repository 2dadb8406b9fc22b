import { beginPasskeySignIn, findPasskeys, type RequestOptions } from '../../../proofs/passkeys/public.ts';
import type { UserRecord } from '../../../tenancy/modules/users/public.ts';
import type { Visit } from '../flow/visit.ts';

/** The text that binds a challenge to a sign-in in one browser: its cookie, which no row contains, and the sign-in's token. */
export const makeSubject = ({ flow, value }: Pick<Visit, 'flow' | 'value'>): string => `${flow.id} ${value}`;

/** Options for a passkey as first factor, with a new challenge. */
export const newRequest = (visit: Visit): Promise<RequestOptions | undefined> =>
  beginPasskeySignIn({ environmentId: visit.flow.environmentId, subject: makeSubject(visit) });

/** Options for a passkey as second factor of a user, with a new challenge. */
export const newFactorRequest = async (
  visit: Visit,
  { environmentId, id }: Pick<UserRecord, 'environmentId' | 'id'>,
): Promise<RequestOptions | undefined> =>
  beginPasskeySignIn({ environmentId, subject: makeSubject(visit), userId: id }, await findPasskeys(environmentId, id));

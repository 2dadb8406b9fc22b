import type { Failure, FailureDetails, Issue } from '../../../kernel/errors.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { SignInSettings } from '../../../proofs/modules/email-proofs/public.ts';
import type { SessionRecord } from '../../../tenancy/sessions/public.ts';
import { type CountedBy, countSignIn } from '../../../proofs/modules/sign-in-checks/public.ts';
import type { ClientContext } from '../../../tenancy/modules/known-devices/public.ts';
import type { BrowserPage } from './browser.ts';
import type { tooManyRequests } from './errors.ts';
import { type AuthenticateError, quotaExceeded } from './errors.ts';

/** The arguments of a grant. */
export interface GrantContext {
  environmentId: string;
  settings: SignInSettings;
  origin: ClientContext;
  unit: Unit;
  fail: (error: AuthenticateError, details?: FailureDetails) => Failure;
  invalid: (issues: readonly Issue[]) => Failure;
  /** The calling page, if its browser may keep the refresh token. */
  page: BrowserPage | undefined;
  /** A function that is called with the new or refreshed session. */
  onSession: (session: SessionRecord) => void;
}

/**
 * Counts an attempt before it is processed.
 * @throws Failure 429 with Retry-After, in the form of the grant
 */
export async function countAttempt(
  { environmentId, origin, unit, fail }: GrantContext,
  by: Omit<CountedBy, 'origin'>,
  error: typeof quotaExceeded | typeof tooManyRequests = quotaExceeded,
): Promise<void> {
  const verdict = await countSignIn(unit, environmentId, { ...by, origin });
  if (!verdict.allowed) throw fail(error, { retryAfter: verdict.retryAfterSeconds });
}

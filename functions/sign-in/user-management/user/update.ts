import type * as z from 'zod';

import type { Failure } from '../../../kernel/errors.ts';
import { normalizeEmail } from '../../../kernel/address.ts';
import { emailAlreadyVerified } from '../../../proofs/modules/email-proofs/public.ts';
import type { stageUserChange, UserRecord } from '../../../tenancy/modules/users/public.ts';
import { invalidEmail, invalidLocale } from './errors.ts';
import { canonicalLocale } from '../../../kernel/locale.ts';
import type { UpdateUser } from './schema.ts';

/**
 * The changes of a user by a request: absent members are unchanged, and null clears them.
 * @throws Failure for an invalid address or locale
 */
export function changesFrom(
  body: z.output<typeof UpdateUser>,
  former: UserRecord,
  fail: (error: typeof invalidEmail | typeof invalidLocale | typeof emailAlreadyVerified) => Failure,
): Parameters<typeof stageUserChange>[2] & { email: string } {
  const email = body.email === undefined ? former.email : normalizeEmail(body.email);
  if (email === undefined) throw fail(invalidEmail);
  const isMoved = email !== former.email;
  if (!isMoved && former.emailVerified && body.email_verified === false) throw fail(emailAlreadyVerified);
  const locale = kept(body.locale, former.locale);
  if (locale !== undefined && canonicalLocale(locale) === undefined) throw fail(invalidLocale);
  return {
    email,
    emailVerified: body.email_verified ?? (former.emailVerified && !isMoved),
    metadata: body.metadata === undefined ? (former.metadata as Record<string, string>) : (body.metadata ?? {}),
    firstName: kept(body.first_name, former.firstName),
    lastName: kept(body.last_name, former.lastName),
    name: kept(body.name, former.name),
    externalId: kept(body.external_id, former.externalId),
    locale: locale === undefined ? undefined : canonicalLocale(locale),
  };
}

const kept = <T>(given: T | null | undefined, former: T | undefined): T | undefined =>
  given === undefined ? former : (given ?? undefined);

import { findRequiredSso } from '../../../tenancy/modules/organization-sso/public.ts';
import { PATHS } from '../flow/paths.ts';
import { step } from '../flow/step.ts';
import { pageIn, redirect } from '../flow/visit.ts';
import { leaveForSso } from './required.ts';

/** The page of an address whose organization requires single sign-on. */
const [show] = step({
  name: 'required_sso',
  path: PATHS.sso,
  summary: 'Continue at the identity provider of the user’s organization',
  async show(visit) {
    const { email } = visit.state;
    const required = email === undefined ? undefined : await findRequiredSso(visit.flow.environmentId, email);
    if (email === undefined || required === undefined) return redirect(pageIn(visit, PATHS.signIn));
    return leaveForSso(visit, required, email);
  },
  take: async (visit) => redirect(pageIn(visit, PATHS.signIn)),
});

export const requiredSsoOperations = [show] as const;

import * as z from 'zod';

import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { anyCaller, systemActor } from '../../../kernel/authentication/caller.ts';
import { normalizeEmail } from '../../../kernel/address.ts';
import { operation } from '../../../kernel/operation.ts';
import { PageBody } from '../../../kernel/pages/html.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import {
  type AuthorizationRequest,
  failFlow,
  findLoginFlow,
  finishFlow,
  stageEndOfFlow,
} from '../../modules/sign-in-flows/public.ts';
import { type SocialProof, takeHandover } from '../../social/public.ts';
import { socialConnections } from '../connection/social.ts';
import { stageCode } from '../profile/code.ts';
import { presentProfile } from '../profile/schema.ts';
import { stageProfile } from '../profile/stage.ts';
import { ssoSettings } from '../settings.ts';
import { endedSignIn, errorForm, signInEnded } from './errors.ts';

/** The redirect to the application, with a code for the profile of an account or with an error. */
async function conclude(unit: Unit, flow: AuthorizationRequest, { provider, profile, tokens }: SocialProof) {
  const { environmentId } = flow;
  const [connections, { email_domains: domains }] = await awaitAll([
    socialConnections(environmentId),
    findSettings(environmentId, ssoSettings),
  ]);
  stageEndOfFlow(unit, flow);
  const connection = connections.find((one) => one.provider === provider);
  if (connection?.enabled !== true) return failFlow(flow, 'connection_unlinked', 'The provider is no longer enabled.');
  const email = profile.email === undefined ? undefined : normalizeEmail(profile.email);
  if (email === undefined) return failFlow(flow, 'server_error', 'The provider states no email of the user.');
  // An unverified address could be that of another person, and applications identify users by their email.
  if (!profile.isEmailProven && domains !== 'any') {
    return failFlow(flow, 'access_denied', 'The provider has not verified the email of the user.');
  }
  const { issuer, subject: idpId, firstName, lastName, name, pictureUrl } = profile;
  const raw = { sub: idpId, iss: issuer, email, ...(pictureUrl === undefined ? {} : { picture: pictureUrl }) };
  const identity = { idpId, email, firstName, lastName, name, groups: [], custom: {}, raw, contexts: [] };
  const { id } = await stageProfile(unit, { environmentId, connectionId: connection.id, issuer }, identity);
  const of = { id, organizationId: undefined, connectionId: connection.id, type: connection.type, roles: [] };
  return finishFlow(flow, stageCode(unit, flow, { profile: presentProfile(of, identity), tokens }));
}

const continueSocial = operation({
  id: 'sso.continue_social',
  method: 'GET',
  path: '/x/sso/social',
  summary: 'Continue a sign-in of /sso/authorize after the response of a social provider',
  description: 'The social providers redirect here. Only the browser that was sent to the provider can continue.',
  auth: anyCaller,
  query: z.object({ flow: z.string().max(255) }),
  responses: { 200: PageBody, 302: null },
  errors: [signInEnded],
  errorForm,
  emits: [],
  idempotency: 'none',
  async handle({ query, request }) {
    const flow = await findLoginFlow(query.flow);
    if (flow?.isForProfile !== true) throw endedSignIn(request);
    let location: string | undefined;
    await applyWork(flow.environmentId, systemActor, async (unit) => {
      const handover = await takeHandover(unit, flow, request);
      location = handover?.kind === 'proof' ? await conclude(unit, flow, handover.proof) : undefined;
    });
    if (location === undefined) throw endedSignIn(request);
    return { status: 302, headers: { location } };
  },
});

export const socialProfileOperations = [continueSocial] as const;

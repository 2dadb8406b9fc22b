import * as z from 'zod';

import { browserDevice, readClientContext } from '../../known-devices/public.ts';
import { anyCaller } from '../../kernel/authentication/caller.ts';
import { isFromBrowser } from '../../kernel/http/browser.ts';
import { removeCookie } from '../../kernel/http/cookies.ts';
import { operation } from '../../kernel/operation.ts';
import { PageBody } from '../../kernel/pages/html.ts';
import { conclude } from './conclude.ts';
import { endedSignIn, errorForm, signInEnded } from './errors.ts';
import { concludeTest } from '../test-sign-in/conclude.ts';
import { bindingOf, findSignIn, openAnswer, openSecrets } from './state.ts';

/** The events of the completion of a sign-in. */
const concludingEvents = [
  'authentication.sso_succeeded',
  'authentication.sso_failed',
  'email_verification.created',
  'invitation.accepted',
  'organization_membership.created',
  'organization_membership.updated',
  'session.revoked',
  'user.created',
  'user.updated',
] as const;

const continueSso = operation({
  id: 'sso.continue',
  method: 'GET',
  path: '/x/sso/continue',
  summary: 'Continue a sign-in after its identity provider has responded',
  description:
    'The endpoints that receive the responses of identity providers redirect here. Only the browser that was sent to the provider ' +
    'can continue.',
  auth: anyCaller,
  query: z.object({ state: z.string().max(255) }),
  responses: { 200: PageBody, 302: null },
  errors: [signInEnded],
  errorForm,
  emits: concludingEvents,
  idempotency: 'none',
  async handle({ query, request }) {
    const signIn = await findSignIn(query.state);
    const answer = signIn && openAnswer(signIn, query.state);
    // The sign-in must exist, have a response and belong to this browser; otherwise the response reveals nothing.
    const isHere = signIn !== undefined && isFromBrowser(request, bindingOf(signIn.id), signIn.browserHash);
    if (!isHere || answer === undefined) throw endedSignIn(request);
    const { flowId, returnUrl } = openSecrets(signIn, query.state);
    if (signIn.purpose === 'test') return concludeTest(signIn, answer, returnUrl, request);
    const device = browserDevice(signIn.environmentId, request);
    const origin = readClientContext('public', { device_id: device.deviceId }, request);
    const next = flowId === undefined ? undefined : await conclude({ signIn, flowId, origin }, answer);
    if (next === undefined) throw endedSignIn(request);
    const cookies = [...next.cookies, removeCookie(bindingOf(signIn.id)), device.cookie];
    return { status: 302, headers: { location: next.location }, cookies };
  },
});

export const continueOperations = [continueSso] as const;

import { declareError } from '../../../kernel/errors.ts';
import { messages } from '../../../kernel/http/error-response.ts';
import { endingPage } from '../../../kernel/pages/ending.ts';
import { PageFailure, withPages } from '../../../kernel/pages/error-page.ts';
import { plainSurroundings } from '../../../kernel/pages/surroundings.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';

export const signInEnded = declareError({
  status: 400,
  code: 'sign_in_ended',
  message:
    'The sign-in was already finished, has expired, or was started in another browser. Start again in the application.',
});

export const relayStateDropped = declareError({
  status: 400,
  code: 'relay_state_dropped',
  message:
    'The identity provider responds without the RelayState of the request, so the response cannot be used. The ' +
    'administrator of the identity provider has to remove a default RelayState from its configuration.',
});

export const unsolicited = declareError({
  status: 400,
  code: 'idp_initiated_sso_disabled',
  message:
    'This connection accepts only sign-ins that begin in the application. Open the application and sign in there.',
});

/** The error for the application if the person cancels on the page after an unsolicited response. */
export const consentDenied = {
  code: 'signin_consent_denied',
  message: 'The person did not continue with the account that the identity provider sent.',
};

/** The error format of operations that a browser opens: pages for browsers, JSON for other clients. */
export const errorForm = withPages(messages);

/** The error for a browser whose sign-in does not exist, or does not belong to this browser. */
export const endedSignIn = (request: IncomingRequest): PageFailure =>
  new PageFailure(signInEnded, async () => endingPage(await plainSurroundings(request), 'social.ended'));

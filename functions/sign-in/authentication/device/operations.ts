import { clientInBody, invalidClient } from '../../../kernel/authentication/client.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { declareError } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { oauthErrors } from '../../../kernel/http/error-response.ts';
import { signInSettings } from '../../../proofs/modules/email-proofs/public.ts';
import { startDevice } from './start.ts';
import { AuthorizeDevice, DeviceAuthorizationResponse } from './schema.ts';

const deviceFlowOff = declareError({
  status: 403,
  code: 'unauthorized_client',
  message: 'This environment does not allow device authorization: `device_flow` in its sign-in settings is false.',
  form: 'oauth',
});

export const authorizeDevice = operation({
  id: 'authentication.authorize_device',
  method: 'POST',
  path: '/user_management/authorize/device',
  summary: 'Start the authorization of a device',
  description:
    'Starts the device flow of RFC 8628: the device shows `user_code` and `verification_uri`, and polls POST /user_management/authenticate ' +
    'every `interval` seconds until the user approves. Codes expire after five minutes.',
  auth: clientInBody,
  browser: true,
  form: true,
  body: AuthorizeDevice,
  responses: { 200: DeviceAuthorizationResponse },
  errorForm: oauthErrors,
  errors: [invalidClient, deviceFlowOff],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, unit, fail, request }) {
    const { device_flow: isOpen } = await findSettings(environmentId, signInSettings);
    if (!isOpen) throw fail(deviceFlowOff);
    return { status: 200, body: startDevice(unit, environmentId, request) };
  },
});

export const deviceOperations = [authorizeDevice] as const;

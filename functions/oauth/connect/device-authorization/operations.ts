import * as z from 'zod';

import { DeviceAuthorizationResponse, startDevice } from '../../../sign-in/authentication/public.ts';
import { SERVER_PATH, serverOfClient } from '../../../sign-in/modules/authorization-server/public.ts';
import { findAudience } from '../../../tenancy/modules/client-settings/public.ts';
import { signInSettings } from '../../../proofs/modules/email-proofs/public.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { oauthErrors } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { loadModel } from '../../../tenancy/roles/public.ts';
import { isUnverified } from '../application/rules.ts';
import { grantableScopes, splitScopes } from '../authorize/scope.ts';
import { clientOfTokenRequest, invalidClient } from '../client-secret/credentials.ts';
import { clientMembers } from '../client-secret/schema.ts';
import { invalidScope, invalidTarget, unauthorizedClient } from '../token/errors.ts';

const DeviceRequest = z
  .object({
    ...clientMembers,
    scope: z
      .string()
      .max(4_096)
      .optional()
      .describe('The scopes, separated by spaces; by default all scopes of the application.'),
    resource: z.string().max(4_096).optional().describe('The service that the token is for (RFC 8707).'),
  })
  .meta({ id: 'OAuthDeviceRequest' });

/**
 * The device authorization endpoint (RFC 8628 section 3.1). Applications that registered themselves may not use it: a person who is sent
 * a code sees no address of the application, so nothing protects them from an impostor (section 5.4).
 */
export const authorizeDevice = operation({
  id: 'oauth2.device_authorization',
  method: 'POST',
  path: `${SERVER_PATH}/device_authorization`,
  beyondContract: true,
  summary: 'Start the authorization of an application’s device',
  description:
    'Starts the device flow of RFC 8628 for an `oauth` application that was created with an API key, if `device_flow` of `/x/authentication/settings` is true. The user signs in ' +
    'and consents at `verification_uri`; the device polls the token endpoint with `device_code` every `interval` seconds.',
  auth: serverOfClient(invalidClient),
  browser: 'any-origin',
  body: DeviceRequest,
  form: true,
  responses: { 200: DeviceAuthorizationResponse },
  errorForm: oauthErrors,
  errors: [invalidClient, unauthorizedClient, invalidScope, invalidTarget],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, request, unit, fail }) {
    const [{ application }, model, audience, { device_flow: isOpen }] = await awaitAll([
      clientOfTokenRequest({ environmentId, request, body, unit }),
      loadModel(environmentId),
      body.resource === undefined ? undefined : findAudience(environmentId, body.resource),
      findSettings(environmentId, signInSettings),
    ]);
    if (!isOpen || application.applicationType !== 'oauth' || isUnverified(application)) {
      const message =
        'This application may not authorize devices: it registered itself, is not of the type oauth, or device_flow is off.';
      throw fail(unauthorizedClient, { message });
    }
    if (audience === null) throw fail(invalidTarget);
    const isPermission = (slug: string) => model.permissionsBySlug.has(slug);
    const scopes = grantableScopes(splitScopes(body.scope), application.scopes, isPermission);
    if (scopes.length === 0) throw fail(invalidScope);
    const { id } = application;
    const started = startDevice(unit, environmentId, request, { id, scopes, resource: audience });
    return { status: 200, headers: { 'cache-control': 'no-store' }, body: started };
  },
});

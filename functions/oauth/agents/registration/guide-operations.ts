import * as z from 'zod';

import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { CLAIM_GRANT } from '../../../kernel/compatibility.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { operation } from '../../../kernel/operation.ts';
import { issuerOf } from '../../../kernel/tokens/issuer.ts';
import { agentSettings, CACHED, serverAddress } from '../../../sign-in/modules/authorization-server/public.ts';
import { unknownServer } from './errors.ts';
import { composeGuide } from './guide.ts';
import { AGENT_PATH, agentAddress, environmentInPath } from './server.ts';

const getGuide = operation({
  id: 'agent_identity.guide',
  method: 'GET',
  path: `${AGENT_PATH}/auth.md`,
  summary: 'Get the guide by which agents register (auth.md)',
  description:
    'Returns Markdown for agents: the kinds of registration that the settings allow. The metadata of the OAuth server has its URL in `agent_auth.skill`.',
  auth: environmentInPath,
  browser: 'any-origin',
  responses: { 200: z.string().meta({ contentMediaType: 'text/markdown' }) },
  errors: [unknownServer],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId }) {
    const [environment, { registrations: settings }] = await awaitAll([
      findEnvironment(environmentId),
      findSettings(environmentId, agentSettings),
    ]);
    if (environment === undefined) throw new Error('The environment of the server is gone');
    const isClaimable = settings.claim_uri !== null;
    const body = composeGuide({
      address: agentAddress(environmentId),
      issuer: issuerOf(environment),
      tokenEndpoint: `${serverAddress(environmentId)}/token`,
      claimGrant: CLAIM_GRANT,
      isAnonymous: settings.anonymous,
      isServiceAuth: settings.service_auth && isClaimable,
      isAsserted: settings.identity_assertion && settings.trusted_issuers.length > 0,
      isClaimable,
    });
    return { status: 200, headers: { ...CACHED, 'content-type': 'text/markdown; charset=utf-8' }, body };
  },
});

export const guideOperations = [getGuide] as const;

import * as z from 'zod';

import { readClientContext } from '../../../tenancy/modules/known-devices/public.ts';
import { environmentIdOf } from '../../../kernel/authentication/api-key.ts';
import { anyCaller, systemActor } from '../../../kernel/authentication/caller.ts';
import { mintKey, readKey } from '../../../kernel/authentication/secret-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { orFail } from '../../../kernel/errors.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import { operation } from '../../../kernel/operation.ts';
import { PageBody } from '../../../kernel/pages/html.ts';
import { settings } from '../../../kernel/settings.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { secret } from '../../../kernel/values.ts';
import { keyOrGrant } from '../../../tenancy/modules/portal-access/public.ts';
import { connections } from '../connection/entity.ts';
import { connectionNotFound, deletionInProgress, incomplete } from '../connection/errors.ts';
import { findConnectionOwner } from '../connection/find.ts';
import { isComplete } from '../connection/rules.ts';
import { endedSignIn, errorForm, signInEnded } from '../sign-in/errors.ts';
import { type Started, startSso } from '../sign-in/start.ts';
import { mintState } from '../sign-in/state.ts';
import { testSignIns } from './entity.ts';

const PREFIX = 'sso_test_';
const LIFE_SECONDS = 600;

const isWebAddress = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return (
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && /^(?:[a-z0-9-]+\.)*localhost$|^127\.0\.0\.1$/.test(url.hostname))
  );
};

const CreateTestSignIn = z
  .object({
    return_url: z
      .string()
      .max(2_048)
      .refine(isWebAddress, 'must be an https URL, or http on localhost')
      .optional()
      .describe(
        'The URL (https, or http on localhost) to which the browser returns, with `attempt_id`. Without it, a page shows the result.',
      ),
    login_hint: z.string().max(320).optional(),
  })
  .meta({ id: 'CreateSsoTestSignIn' });

const TestSignIn = z
  .object({
    object: z.literal('sso_test_sign_in'),
    connection_id: z.string(),
    url: secret.describe('The URL that starts the test sign-in; it can be opened once.'),
    expires_at: z.string(),
  })
  .meta({ id: 'SsoTestSignIn' });

const createTestSignIn = operation({
  id: 'sso_test_sign_ins.create',
  method: 'POST',
  path: '/x/connections/{id}/test_sign_ins',
  summary: 'Test a sign-in through a connection',
  description:
    'Open `url` of the response in a browser: it leads to the identity provider, and then to a page with each check, the claims, the profile and the effect that a sign-in would have. It signs no user in and creates none, so drafts and inactive connections can be ' +
    'tested too. `GET /x/connections/{id}/attempts` has the same checks. The first success sets `proven_at` of the connection.',
  auth: keyOrGrant(findConnectionOwner),
  // The URL works once, as a secret does: without this permission an operator would get a response without it.
  operator: 'secrets.write',
  body: CreateTestSignIn,
  responses: { 201: TestSignIn },
  errors: [connectionNotFound, deletionInProgress, incomplete],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const record = await orFail(connections.get(environmentId, params.id), () => fail(connectionNotFound));
    if (record.state === 'deleting') throw fail(deletionInProgress);
    if (!isComplete(record)) throw fail(incomplete);
    const { value, hash } = mintKey(PREFIX, readUlid(environmentId));
    const expiresAt = clock.seconds() + LIFE_SECONDS;
    const { write } = testSignIns.create({
      environmentId,
      id: hash,
      owner: ownerKey('organization', record.organizationId),
      connectionId: record.id,
      returnUrl: body.return_url,
      loginHint: body.login_hint,
      expiresAt,
    });
    unit.stage(write);
    return {
      status: 201,
      body: {
        object: 'sso_test_sign_in' as const,
        connection_id: record.id,
        url: `${settings().GATEHOUSE_BASE_URL}/x/sso/test?token=${value}`,
        expires_at: new Date(expiresAt * 1_000).toISOString(),
      },
    };
  },
});

const openTestSignIn = operation({
  id: 'sso_test_sign_ins.open',
  method: 'GET',
  path: '/x/sso/test',
  summary: 'Redirect the browser of a test sign-in to the identity provider',
  auth: anyCaller,
  query: z.object({ token: secret.max(255) }),
  responses: { 200: PageBody, 302: null },
  errors: [signInEnded],
  errorForm,
  emits: [],
  idempotency: 'none',
  async handle({ query, request }) {
    const key = readKey(PREFIX, query.token);
    if (key === undefined) throw endedSignIn(request);
    const environmentId = environmentIdOf(key.ulid);
    const origin = readClientContext('public', {}, request);
    const state = mintState(environmentId);
    let started: Started | undefined;
    await applyWork(environmentId, systemActor, async (unit) => {
      const test = await testSignIns.get(environmentId, key.hash);
      const record = test && (await connections.get(environmentId, test.connectionId));
      started = undefined;
      if (test === undefined || (test.expiresAt ?? 0) <= clock.seconds()) return;
      if (record === undefined || record.state === 'deleting' || !isComplete(record)) return;
      unit.stage(testSignIns.remove(test));
      const { returnUrl, loginHint } = test;
      started = await startSso(unit, { record, purpose: 'test', key: state, returnUrl, loginHint }, origin);
    });
    if (started === undefined) throw endedSignIn(request);
    return { status: 302, headers: { location: started.location }, cookies: started.cookies };
  },
});

export const testSignInOperations = [createTestSignIn, openTestSignIn] as const;
